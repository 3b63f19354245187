// Histories for the tests of this folder, with conversion to bytes and back.
#pragma once

#include <map>
#include <vector>

#include "event/listing.hpp"
#include "event/random/campaign.hpp"
#include "history/reader.hpp"
#include "history/writer.hpp"

namespace heddle::history {

inline Sink memory_sink(std::vector<u8>& bytes) {
  return [&bytes](std::span<const u8> more) {
    bytes.insert(bytes.end(), more.begin(), more.end());
    return std::string();
  };
}

// One stream, in chunks of a few records, so that everything crosses chunk boundaries.
inline std::vector<u8> as_file(const event::History& history, usize chunk_records = 7) {
  std::vector<u8> bytes;
  Writer writer(memory_sink(bytes));
  writer.text("{\"type\":\"run\",\"command\":[\"./app\"]}\n");
  Encoder encoder;
  std::vector<Record> records;
  for (const event::Event& event : history) encoder.add(event, records);
  for (usize at = 0; at < records.size(); at += chunk_records)
    writer.append(0, std::span(records).subspan(at, std::min(chunk_records, records.size() - at)));
  writer.end("exit");
  return bytes;
}

// A stream for each thread, as a parallel program would record it: tasks are distributed over `threads`, and an
// undeferred one stays with its parent.
inline std::vector<u8> as_parallel_file(const event::History& history, u32 threads, usize chunk_records = 7) {
  struct Stream {
    Encoder encoder;
    std::vector<Record> records;
  };
  std::map<u32, Stream> streams;
  std::map<u32, u32> thread_of;  // of undeferred tasks
  u32 ticket = 0;
  for (const event::Event& event : history) {
    u32 task = task_of(event);
    u32 thread = thread_of.try_emplace(task, task % threads).first->second;
    if (auto* spawn = std::get_if<event::Spawn>(&event);
        spawn && spawn->kind == event::SpawnKind::kUndeferred)
      thread_of[spawn->child] = thread;
    Stream& stream = streams[thread];
    usize before = stream.records.size();
    stream.encoder.add(event, stream.records);
    for (Record& record : std::span(stream.records).subspan(before))
      if (has_ticket(record.op)) record.ticket = ticket++;
  }
  std::vector<u8> bytes;
  Writer writer(memory_sink(bytes));
  usize left = streams.size();
  for (usize at = 0; left > 0; at += chunk_records)
    for (auto& [thread, stream] : streams) {
      if (at >= stream.records.size()) continue;
      usize count = std::min(chunk_records, stream.records.size() - at);
      writer.append(thread, std::span(stream.records).subspan(at, count));
      if (at + count == stream.records.size()) --left;
    }
  writer.end("exit");
  return bytes;
}

struct ReadBack {
  bool opened = false;
  event::History history;
  std::string problem;
};

inline ReadBack read_back(std::span<const u8> bytes) {
  auto reader = Reader::open(memory_input(bytes));
  if (!reader) return {false, {}, reader.error()};
  ReadBack result{true, read_all(**reader), {}};
  result.problem = (*reader)->problem();
  return result;
}

}  // namespace heddle::history
