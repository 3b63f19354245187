// How fast histories are written, read and imported, in records or lines a second. Everything is in memory: this
// measures us, not the disk.
//
//   build/ci/benchmarks/history_benchmark --benchmark_filter=Import
#include <benchmark/benchmark.h>

#include <string>
#include <vector>

#include "history/loops.hpp"
#include "history/reader.hpp"
#include "history/std_import.hpp"
#include "history/writer.hpp"

namespace heddle::history {
namespace {

using event::Model;

constexpr u64 kEvents = 10'000'000;

Sink into(std::vector<u8>& bytes) {
  return [&bytes](std::span<const u8> more) {
    bytes.insert(bytes.end(), more.begin(), more.end());
    return std::string();
  };
}

void write_all(EventSource& source, Writer& writer) {
  EventWriter events(writer);
  for_each_event(source, [&](const auto& event) { events.add(event); });
  events.flush();
  writer.end("exit");
}

// One stream, as it is generated.
const std::vector<u8>& one_stream() {
  static const std::vector<u8> bytes = [] {
    std::vector<u8> made;
    LoopSource source({.model = Model::kThreads, .events = kEvents});
    Writer writer(into(made));
    write_all(source, writer);
    return made;
  }();
  return bytes;
}

// Addresses that nothing predicts, all alike otherwise: the worst that a program can do to the compression.
const std::vector<u8>& noise() {
  static const std::vector<u8> bytes = [] {
    std::vector<u8> made;
    Writer writer(into(made));
    EventWriter events(writer);
    event::Rng rng(1);
    for (u64 i = 0; i < kEvents; ++i)
      events.add(event::Access{0, 0x7f0000000000 + rng.next() % (1 << 30), 1 + rng.below(8), rng.percent(30),
                               false, rng.below(1000)});
    events.flush();
    writer.end("exit");
    return made;
  }();
  return bytes;
}

// A stream for each of a hundred workers, which take turns at every few records.
const std::vector<u8>& many_streams() {
  static const std::vector<u8> bytes = [] {
    std::vector<u8> made;
    Writer writer(into(made));
    struct Stream {
      Encoder encoder;
      std::vector<Record> records;
    };
    std::vector<Stream> streams(101);
    u32 ticket = 0;
    auto flush = [&](u32 number) {
      writer.append(number, streams[number].records);
      streams[number].records.clear();
    };
    LoopSource source({.model = Model::kLocks, .events = kEvents, .workers = 100, .words = 4096});
    for_each_event(source, [&](const auto& event) {
      u32 number;
      if constexpr (requires { event.task; })
        number = event.task;
      else
        number = event::task_of(event);
      std::vector<Record>& records = streams[number].records;
      usize before = records.size();
      streams[number].encoder.add(event, records);
      for (Record& record : std::span(records).subspan(before))
        if (has_ticket(record.op)) record.ticket = ticket++;
      if (records.size() >= 4096) flush(number);
    });
    for (u32 number = 0; number < streams.size(); ++number) flush(number);
    writer.end("exit");
    return made;
  }();
  return bytes;
}

void read_batches(benchmark::State& state, const std::vector<u8>& bytes) {
  u64 records = 0;
  for (auto _ : state) {
    auto reader = Reader::open(memory_input(bytes));
    u64 sum = 0;
    Batch batch;
    while ((*reader)->next(batch))
      for (const Record& record : batch.memory) sum += record.address;
    benchmark::DoNotOptimize(sum);
    records += (*reader)->read_records();
    if (!(*reader)->problem().empty()) state.SkipWithError((*reader)->problem().c_str());
  }
  state.SetItemsProcessed(static_cast<int64_t>(records));
  state.counters["bytes/record"] = static_cast<double>(bytes.size()) *
                                   static_cast<double>(state.iterations()) / static_cast<double>(records);
}

void Read(benchmark::State& state) { read_batches(state, one_stream()); }
BENCHMARK(Read)->Unit(benchmark::kMillisecond);
void ReadNoise(benchmark::State& state) { read_batches(state, noise()); }
BENCHMARK(ReadNoise)->Unit(benchmark::kMillisecond);
void ReadManyStreams(benchmark::State& state) { read_batches(state, many_streams()); }
BENCHMARK(ReadManyStreams)->Unit(benchmark::kMillisecond);

// What an engine pays that takes every access as an event::Event.
void ReadAsEvents(benchmark::State& state) {
  u64 records = 0;
  const std::vector<u8>& bytes = one_stream();
  for (auto _ : state) {
    auto reader = Reader::open(memory_input(bytes));
    u64 sum = 0;
    for_each_event(**reader, [&](const auto& made) {
      event::Event event = made;
      benchmark::DoNotOptimize(event);
      if (auto* access = std::get_if<event::Access>(&event)) sum += access->address;
    });
    benchmark::DoNotOptimize(sum);
    records += (*reader)->read_records();
  }
  state.SetItemsProcessed(static_cast<int64_t>(records));
}
BENCHMARK(ReadAsEvents)->Unit(benchmark::kMillisecond);

void Write(benchmark::State& state) {
  for (auto _ : state) {
    u64 bytes = 0;
    Writer writer([&](std::span<const u8> more) {
      bytes += more.size();
      return std::string();
    });
    LoopSource source({.model = Model::kThreads, .events = kEvents});
    write_all(source, writer);
    benchmark::DoNotOptimize(bytes);
  }
  state.SetItemsProcessed(static_cast<int64_t>(kEvents * state.iterations()));
}
BENCHMARK(Write)->Unit(benchmark::kMillisecond);

// A trace of ten million lines: 16 threads, a million variables, locks.
const std::string& trace() {
  static const std::string text = [] {
    std::string made;
    event::Rng rng(1);
    constexpr u32 kThreads = 16;
    for (u32 thread = 1; thread < kThreads; ++thread) made += "T0|fork(T" + std::to_string(thread) + ")|1\n";
    for (u64 line = kThreads; line < kEvents;) {
      u32 thread = rng.below(kThreads), lock = rng.below(100);
      const std::string name = "T" + std::to_string(thread);
      made += name + "|acq(L" + std::to_string(lock) + ")|" + std::to_string(lock) + "\n";
      u32 count = rng.between(1, 20);
      for (u32 i = 0; i < count; ++i)
        made += name + (rng.percent(30) ? "|w(V" : "|r(V") + std::to_string(rng.below(1000000)) + ")|" +
                std::to_string(rng.below(5000)) + "\n";
      made += name + "|rel(L" + std::to_string(lock) + ")|" + std::to_string(lock) + "\n";
      line += count + 2;
    }
    return made;
  }();
  return text;
}

void ImportStd(benchmark::State& state) {
  u64 lines = 0;
  const std::string& text = trace();
  for (auto _ : state) {
    StdImport source(memory_input({reinterpret_cast<const u8*>(text.data()), text.size()}));
    Batch batch;
    u64 records = 0;
    while (source.next(batch)) records += batch.memory.size();
    benchmark::DoNotOptimize(records);
    lines += source.lines();
    if (!source.problem().empty()) state.SkipWithError(source.problem().c_str());
  }
  state.SetItemsProcessed(static_cast<int64_t>(lines));
}
BENCHMARK(ImportStd)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace heddle::history

BENCHMARK_MAIN();
