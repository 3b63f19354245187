// Any bytes as a history file. Checksums reject most changes early: records_fuzz.cpp tests the code behind them.
#include "fuzz.hpp"
#include "history/reader.hpp"
#include "history/statistics.hpp"

using namespace heddle;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  auto open = [&] { return history::Reader::open(history::memory_input({data, size})); };
  auto reader = open();
  if (!reader) {
    fuzz::require(!reader.error().empty(), "an error says what is wrong");
    return 0;
  }
  const fuzz::Seen seen = fuzz::look_at(**reader);
  fuzz::require((*reader)->read_records() <= (*reader)->records(), "no more is read than there is");
  fuzz::require(!(*reader)->problem().empty() || (*reader)->read_records() == (*reader)->records(),
                "a file without a problem is read to its end");
  auto again = open();
  fuzz::require(fuzz::look_at(**again).text == seen.text, "a file says the same twice");
  history::Statistics statistics;
  auto third = open();
  history::for_each_event(**third, [&](const auto& event) { statistics.add(event); });
  return 0;
}
