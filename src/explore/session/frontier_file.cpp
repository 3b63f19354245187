#include "explore/session/frontier_file.hpp"

#include <charconv>

namespace heddle::explore {
namespace {

constexpr std::string_view kExplored = "\nexplored ";

}  // namespace

std::string to_text(const FrontierFile& file) {
  std::string text = file.frontier;
  while (text.ends_with('\n')) text.pop_back();
  return text + std::string(kExplored) + std::to_string(file.assumptions) + " " +
         std::to_string(file.certificate.size()) + "\n" + file.certificate;
}

Result<FrontierFile> parse_frontier_file(const std::string& text) {
  FrontierFile file;
  const usize at = text.find(kExplored);
  const usize line = at == std::string::npos ? at : text.find('\n', at + 1);
  if (at == std::string::npos || line == std::string::npos)
    return Error{"this is not a frontier of a version known here, or it is cut off", true};
  file.frontier = text.substr(0, at + 1);
  file.certificate = text.substr(line + 1);
  const char *number = text.data() + at + kExplored.size(), *const end = text.data() + line;
  usize size = 0;
  auto got = std::from_chars(number, end, file.assumptions);
  if (got.ec == std::errc() && got.ptr != end && *got.ptr == ' ')
    got = std::from_chars(got.ptr + 1, end, size);
  if (got.ec != std::errc() || got.ptr != end || size != file.certificate.size())
    return Error{"it is damaged, or cut off: the certificate so far is not in it", true};
  return file;
}

}  // namespace heddle::explore
