// Any bytes as a trace of RAPID: what is imported is always a legal history.
#include "fuzz.hpp"
#include "history/std_import.hpp"

using namespace heddle;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  history::StdImport source(history::memory_input({data, size}));
  const fuzz::Seen seen = fuzz::look_at(source);
  fuzz::require(seen.illegal.empty(), "an import is legal", seen.illegal + "\n" + seen.text);
  fuzz::require(source.problem().empty() || source.problem().starts_with("line "),
                "a problem names its line");
  return 0;
}
