// "Did you mean ...?" for mistyped names.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace heddle::settings {

// Edit distance that counts a swap of adjacent letters as one (Damerau, restricted): the most frequent typing error.
std::size_t edit_distance(std::string_view a, std::string_view b);

// "; did you mean 'x'?", or nothing when no candidate is close.
std::string did_you_mean(std::string_view typed, const std::vector<std::string>& candidates);

}  // namespace heddle::settings
