#include "output/text_file.hpp"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "output/messages.hpp"
#include "output/output_file.hpp"

namespace heddle::output {

Result<std::string> read_text(const std::string& path, const std::string& what) {
  std::error_code ignored;
  const bool is_folder = std::filesystem::is_directory(path, ignored);  // which can be opened, but not read
  std::ifstream in(path);
  if (is_folder) errno = EISDIR;
  if (!in || is_folder) return Error{"cannot read " + what + " '" + path + "': " + std::strerror(errno)};
  std::stringstream text;
  text << in.rdbuf();
  return text.str();
}

bool write_text(const std::string& path, const std::string& text) {
  const std::string problem = write_file(path, text);
  if (!problem.empty()) fail(problem);
  return problem.empty();
}

}  // namespace heddle::output
