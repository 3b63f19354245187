#include "report/formats.hpp"

#include <algorithm>
#include <filesystem>

namespace heddle::report {
namespace {

constexpr Format kFormats[] = {
    {"json", write_json},
    {"sarif", write_sarif},
};

}  // namespace

std::span<const Format> formats() { return kFormats; }

const Format& format_of(const std::string& path) {
  const std::string ending = std::filesystem::path(path).extension().string();
  const auto found = std::find_if(std::begin(kFormats), std::end(kFormats), [&](const Format& format) {
    return ending == std::string(".") + format.name;
  });
  return found == std::end(kFormats) ? kFormats[0] : *found;
}

}  // namespace heddle::report
