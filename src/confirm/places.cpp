#include "confirm/places.hpp"

namespace heddle::confirm {

using control::Place;

Result<std::vector<Place>> find_places(const std::string& executable, const Target& target) {
  auto places = replay::find_places(executable, std::span(target.sites));
  if (!places) return places;
  if (target.sites.size() > control::Steering::kMostEdges) return Error{"too many are in the cycle"};
  for (u32 edge = 0; edge < target.edges.size(); ++edge)
    for (u32 i = 0; i < target.edges[edge].held.size() && i < control::Steering::kMostHeld; ++i) {
      const auto code = report::find_code(executable, target.edges[edge].held[i]);
      if (!code) return Error{code.error()};
      for (const report::CodeRange& range : *code)
        places->push_back({range.begin, range.end, edge, 0, 0, 0, static_cast<u8>(i + 1)});
    }
  if (places->size() > control::Steering::kMostPlaces)
    return Error{"too many code locations for its source lines"};
  return places;
}

}  // namespace heddle::confirm
