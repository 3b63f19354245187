#include "cli/frontier_file.hpp"

#include <charconv>

namespace heddle::cli {
namespace {

constexpr std::string_view kExplored = "\nexplored ";

}  // namespace

std::string to_text(const FrontierFile& file) {
  std::string text = file.frontier;
  while (text.ends_with('\n')) text.pop_back();
  return text + std::string(kExplored) + std::to_string(file.assumptions) + "\n" + file.certificate;
}

FrontierFile parse_frontier_file(const std::string& text) {
  FrontierFile file;
  const usize at = text.find(kExplored);
  file.frontier = text.substr(0, at == std::string::npos ? at : at + 1);
  if (at == std::string::npos) return file;
  const char* number = text.data() + at + kExplored.size();
  std::from_chars(number, text.data() + text.size(), file.assumptions);
  const usize line = text.find('\n', at + kExplored.size());
  if (line != std::string::npos) file.certificate = text.substr(line + 1);
  return file;
}

}  // namespace heddle::cli
