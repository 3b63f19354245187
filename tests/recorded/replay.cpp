// Reads a recorded history and prints what the race checker finds in it, as the same checker would have in the
// running program:
//   records legal|illegal: EVENT races CERTAIN PREDICTED
// Used by tests/programs/recorded.py. Sites are not distinguished: only the number of racing pairs counts.
#include <cstdio>

#include "base/memory.hpp"
#include "checker/oracle/compare.hpp"
#include "event/listing.hpp"
#include "event/run_state.hpp"
#include "history/reader.hpp"

using namespace heddle;

int main(int argc, char** argv) {
  if (argc < 2) return 2;
  auto reader = history::Reader::open(argv[1]);
  if (!reader) {
    std::fprintf(stderr, "%s\n", reader.error().c_str());
    return 2;
  }
  auto* structure = memory::make<order::Structure>();
  race::CheckedRun run(*structure, race::Repeats::kShareSites);
  event::RunState state;
  u64 count = 0;
  std::string illegal;
  history::for_each_event(**reader, [&](const auto& e) {
    event::Event event = e;
    if (illegal.empty()) {
      if (state.allows(event))
        state.apply(event);
      else
        illegal = std::to_string(count) + " " + event::describe(event);
    }
    ++count;
    run.add(event);
  });
  u64 certain = 0, predicted = 0;
  for (const race::Reported& report : run.reports())
    ++(report.evidence == race::Evidence::kCertain ? certain : predicted);
  std::printf("events %llu\nlegal %s\nproblem %s\nend %s\nraces %llu %llu\n",
              static_cast<unsigned long long>(count), illegal.empty() ? "yes" : illegal.c_str(),
              (*reader)->problem().empty() ? "none" : (*reader)->problem().c_str(), (*reader)->end().c_str(),
              static_cast<unsigned long long>(certain), static_cast<unsigned long long>(predicted));
}
