#include "replay/places.hpp"

namespace heddle::replay {

using control::Place;
using report::CodeSite;

Result<std::vector<Place>> find_places(const std::string& executable, std::span<const CodeSite> sites) {
  std::vector<Place> places;
  for (u32 i = 0; i < sites.size(); ++i) {
    const auto code = report::find_code(executable, sites[i]);
    if (!code) return Error{code.error()};
    const CodeSite::Op op = sites[i].op;
    const bool any = op == CodeSite::Op::kAny;
    for (const report::CodeRange& range : *code)
      places.push_back({range.begin, range.end, i, any || op == CodeSite::Op::kRead,
                        any || op == CodeSite::Op::kWrite, op == CodeSite::Op::kAcquire, 0});
  }
  if (places.size() > control::Steering::kMostPlaces)
    return Error{"too many code locations for its source lines"};
  return places;
}

Result<std::vector<Place>> find_places(const std::string& executable, std::span<const std::string> sites) {
  std::vector<CodeSite> parsed;
  for (const std::string& text : sites) {
    auto site = report::parse_code_site(text);
    if (!site) return Error{"'" + text + "': " + site.error()};
    parsed.push_back(*site);
  }
  return find_places(executable, parsed);
}

}  // namespace heddle::replay
