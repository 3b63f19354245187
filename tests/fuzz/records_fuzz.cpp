// Any records in any streams, in a file with valid checksums: the output of a faulty recorder, or of an attacker.
//
// Input: a byte for the number of records in a chunk, then seventeen bytes per record: its stream, and the record.
#include <map>
#include <vector>

#include "fuzz.hpp"
#include "history/reader.hpp"
#include "history/writer.hpp"

using namespace heddle;
using history::Record;

namespace {

history::Sink into(std::vector<u8>& bytes) {
  return [&bytes](std::span<const u8> more) {
    bytes.insert(bytes.end(), more.begin(), more.end());
    return std::string();
  };
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size == 0) return 0;
  const usize chunk = 1 + *data % 16;
  std::map<u8, std::vector<Record>> streams;
  std::vector<u8> bytes;
  history::Writer writer(into(bytes));
  for (usize at = 1; at + 17 <= size; at += 17) {
    std::vector<Record>& records = streams[data[at]];
    records.emplace_back();
    std::memcpy(static_cast<void*>(&records.back()), data + at + 1, sizeof(Record));
    if (records.size() < chunk) continue;
    writer.append(data[at], records);
    records.clear();
  }
  for (auto& [stream, records] : streams) writer.append(stream, records);
  writer.end("exit");

  auto reader = history::Reader::open(history::memory_input(bytes));
  fuzz::require(static_cast<bool>(reader), "what a Writer writes can be opened");
  const event::History history = history::read_all(**reader);
  const bool whole = (*reader)->problem().empty();
  fuzz::require(!whole || (*reader)->read_records() == (*reader)->records(), "all records are read");

  // What was read passes through a file of one stream unchanged.
  std::vector<u8> copy;
  history::Writer copy_writer(into(copy));
  history::EventWriter events(copy_writer);
  std::string text;
  history::Checker checker;
  for (const event::Event& event : history) {
    events.add(event);
    text += history::to_text(event);
    checker.add(event);
  }
  events.flush();
  copy_writer.end("exit");
  auto again = history::Reader::open(history::memory_input(copy));
  const fuzz::Seen seen = fuzz::look_at(**again);
  fuzz::require(seen.text == text || !(*again)->problem().empty(), "events survive being written",
                text + "---\n" + seen.text);
  return 0;
}
