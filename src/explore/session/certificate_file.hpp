// PROGRAM.certificate while it is made: line by line, as the exploration goes on. Only a proof that is complete gets
// a file with that name; what is there of another proof stays otherwise.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "output/output_file.hpp"

namespace heddle::explore {

class CertificateFile {
 public:
  // An error if it could not be written there. An empty path: none is made, and nothing that is added is kept.
  static Result<CertificateFile> create(const std::string& path);
  CertificateFile(CertificateFile&& other) noexcept;
  CertificateFile& operator=(CertificateFile&&) = delete;
  ~CertificateFile();

  bool is_made() const { return target_.has_value(); }
  // Forgets what was added.
  void restart(std::string_view beginning);
  void add(std::string_view text);
  // All that was added; empty if not all could be kept.
  std::string text() const;
  // It is complete. Empty, or why it could not be written.
  std::string finish();

 private:
  CertificateFile() = default;

  std::optional<output::OutputFile> target_;
  int kept_ = -1;  // without a name: what is said of a part goes to the frontier
  std::string problem_;
};

}  // namespace heddle::explore
