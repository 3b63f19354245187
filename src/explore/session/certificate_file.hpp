// PROGRAM.certificate while it is written, line by line, during the exploration. Only a complete proof creates a file
// of that name; otherwise an existing file stays.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "output/output_file.hpp"

namespace heddle::explore {

class CertificateFile {
 public:
  // An error if the path is not writable. With an empty path nothing is written or kept.
  static Result<CertificateFile> create(const std::string& path);
  CertificateFile(CertificateFile&& other) noexcept;
  CertificateFile& operator=(CertificateFile&&) = delete;
  ~CertificateFile();

  bool is_made() const { return target_.has_value(); }
  // Discards what was added.
  void restart(std::string_view beginning);
  void add(std::string_view text);
  // All that was added; empty if not all could be kept.
  std::string text();
  // Why some lines could not be kept; empty: all were.
  const std::string& problem() const { return problem_; }
  // Completes the file. Returns empty, or why it could not be written.
  std::string finish();

 private:
  CertificateFile() = default;

  std::optional<output::OutputFile> target_;
  int kept_ = -1;  // without a name: a partial certificate goes to the frontier
  std::string problem_;
};

}  // namespace heddle::explore
