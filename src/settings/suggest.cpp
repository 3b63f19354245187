#include "settings/suggest.hpp"

#include <algorithm>

namespace heddle::settings {

std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::vector<std::size_t>> d(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
  for (std::size_t i = 0; i <= a.size(); ++i) d[i][0] = i;
  for (std::size_t j = 0; j <= b.size(); ++j) d[0][j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i)
    for (std::size_t j = 1; j <= b.size(); ++j) {
      d[i][j] = std::min({d[i - 1][j] + 1, d[i][j - 1] + 1, d[i - 1][j - 1] + (a[i - 1] != b[j - 1])});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        d[i][j] = std::min(d[i][j], d[i - 2][j - 2] + 1);
    }
  return d[a.size()][b.size()];
}

std::string did_you_mean(std::string_view typed, const std::vector<std::string>& candidates) {
  const std::string* best = nullptr;
  // A third of the letters may be wrong; with more, a suggestion is noise.
  std::size_t limit = std::max<std::size_t>(1, typed.size() / 3) + 1;
  for (const std::string& candidate : candidates) {
    const bool prefix = typed.size() >= 3 && candidate.starts_with(typed);
    const std::size_t distance = prefix ? 1 : edit_distance(typed, candidate);
    if (distance >= limit) continue;
    limit = distance;
    best = &candidate;
  }
  return best ? "; did you mean '" + *best + "'?" : "";
}

}  // namespace heddle::settings
