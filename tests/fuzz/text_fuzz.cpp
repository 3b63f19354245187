// Any bytes as a text of events: what is parsed equals itself after printing and parsing.
#include "fuzz.hpp"

using namespace heddle;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  history::TextSource source(history::memory_input({data, size}));
  const fuzz::Seen seen = fuzz::look_at(source);
  history::TextSource again(history::memory_input(fuzz::bytes_of(seen.text)));
  const fuzz::Seen twice = fuzz::look_at(again);
  // With fewer lines, large numbers are too large.
  fuzz::require(twice.text == seen.text || !again.problem().empty(), "a text says what it was made from",
                seen.text + "---\n" + twice.text);
  fuzz::require(source.problem().empty() || source.problem().starts_with("line "),
                "a problem names its line");
  return 0;
}
