#include "output/text_file.hpp"

#include "output/messages.hpp"
#include "output/output_file.hpp"
#include "support/files.hpp"

namespace heddle::output {

Result<std::string> read_text(const std::string& path, const std::string& what) {
  auto text = read_file(path);
  if (!text) return Error{"cannot read " + what + " '" + path + "': " + text.error()};
  return text;
}

bool write_text(const std::string& path, const std::string& text) {
  const std::string problem = write_file(path, text);
  if (!problem.empty()) fail(problem);
  return problem.empty();
}

}  // namespace heddle::output
