#include "cli/text_file.hpp"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <sstream>

namespace heddle::cli {

report::Result<std::string> read_text(const std::string& path, const std::string& what) {
  std::ifstream in(path);
  if (!in) return report::Error{"cannot read " + what + " '" + path + "': " + std::strerror(errno)};
  std::stringstream text;
  text << in.rdbuf();
  return text.str();
}

bool write_text(const std::string& path, const std::string& text) {
  std::ofstream out(path, std::ios::trunc);
  out << text;
  if (out.flush()) return true;
  std::fprintf(stderr, "heddle: cannot write '%s': %s\n", path.c_str(), std::strerror(errno));
  return false;
}

}  // namespace heddle::cli
