#include "wrapper/response_file.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <cctype>
#include <cerrno>
#include <cstring>

#include "support/files.hpp"

namespace heddle::wrapper {
namespace {

// Deeper nesting is a file that includes itself; GCC stops at 2000 files.
constexpr int kMaxDepth = 100;

// Empty, or what cannot be read.
std::string expand(const std::vector<std::string>& arguments, int depth, ExpandedArguments& result) {
  for (const std::string& argument : arguments) {
    const std::string path = argument.starts_with('@') ? argument.substr(1) : "";
    // What is no file means itself, as for the compilers.
    if (path.empty() || depth >= kMaxDepth || access(path.c_str(), F_OK) != 0) {
      result.arguments.push_back(argument);
      continue;
    }
    const auto text = read_file(path);
    if (!text) return "cannot read '" + path + "': " + text.error();
    result.from_file = true;
    if (std::string problem = expand(split_response_text(*text), depth + 1, result); !problem.empty())
      return problem;
  }
  return "";
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

Result<ExpandedArguments> expand_response_files(const std::vector<std::string>& arguments) {
  ExpandedArguments result;
  if (std::string problem = expand(arguments, 0, result); !problem.empty()) return Error{std::move(problem)};
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
  if (const int error = fd < 0 ? errno : write_all(fd, text); error != 0)
    return Error{std::string("cannot create a response file: ") + std::strerror(error)};
  return "@/proc/self/fd/" + std::to_string(fd);
}

}  // namespace heddle::wrapper
