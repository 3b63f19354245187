#include "wrapper/response_file.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <cctype>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <sstream>

namespace heddle::wrapper {
namespace {

// Deeper nesting is a file that includes itself; GCC stops at 2000 files.
constexpr int kMaxDepth = 100;

void expand(const std::vector<std::string>& arguments, int depth, ExpandedArguments& result) {
  for (const std::string& argument : arguments) {
    if (argument.size() > 1 && argument[0] == '@' && depth < kMaxDepth) {
      if (std::ifstream in(argument.substr(1)); in) {
        std::ostringstream text;
        text << in.rdbuf();
        result.from_file = true;
        expand(split_response_text(text.str()), depth + 1, result);
        continue;
      }
    }
    result.arguments.push_back(argument);
  }
}

}  // namespace

std::vector<std::string> split_response_text(std::string_view text) {
  std::vector<std::string> words;
  std::string word;
  bool in_word = false;
  char quote = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '\\' && i + 1 < text.size()) {
      word += text[++i];
      in_word = true;
    } else if (quote) {
      if (c == quote)
        quote = 0;
      else
        word += c;
    } else if (c == '\'' || c == '"') {
      quote = c;
      in_word = true;
    } else if (std::isspace(static_cast<unsigned char>(c))) {
      if (in_word) words.push_back(word);
      word.clear();
      in_word = false;
    } else {
      word += c;
      in_word = true;
    }
  }
  if (in_word) words.push_back(word);
  return words;
}

ExpandedArguments expand_response_files(const std::vector<std::string>& arguments) {
  ExpandedArguments result;
  expand(arguments, 0, result);
  return result;
}

Result<std::string> to_response_file(const std::vector<std::string>& arguments) {
  std::string text;
  for (const std::string& argument : arguments) {
    text += '"';
    for (const char c : argument) {
      if (c == '"' || c == '\\') text += '\\';
      text += c;
    }
    text += "\"\n";
  }
  const int fd = memfd_create("heddle-arguments", 0);
  std::size_t written = 0;
  while (fd >= 0 && written < text.size()) {
    const ssize_t count = write(fd, text.data() + written, text.size() - written);
    if (count <= 0) break;
    written += count;
  }
  if (fd < 0 || written < text.size())
    return Error{std::string("cannot create a response file: ") + std::strerror(errno)};
  return "@/proc/self/fd/" + std::to_string(fd);
}

}  // namespace heddle::wrapper
