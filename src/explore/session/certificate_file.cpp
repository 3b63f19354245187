#include "explore/session/certificate_file.hpp"

#include <sys/types.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include "support/files.hpp"

namespace heddle::explore {

Result<CertificateFile> CertificateFile::create(const std::string& path) {
  CertificateFile file;
  if (path.empty()) return file;
  auto target = output::OutputFile::create(path);
  if (!target) return Error{target.error()};
  file.target_.emplace(std::move(*target));
  file.kept_ = output::open_unnamed();
  if (file.kept_ < 0) return Error{std::string("cannot create a file in $TMPDIR: ") + std::strerror(errno)};
  return file;
}

CertificateFile::CertificateFile(CertificateFile&& other) noexcept
    : target_(std::move(other.target_)),
      kept_(std::exchange(other.kept_, -1)),
      problem_(std::move(other.problem_)) {
  other.target_.reset();
}

CertificateFile::~CertificateFile() {
  if (kept_ >= 0) close(kept_);
}

void CertificateFile::restart(std::string_view beginning) {
  if (kept_ < 0) return;
  problem_.clear();
  if (ftruncate(kept_, 0) != 0) problem_ = std::strerror(errno);
  add(beginning);
}

void CertificateFile::add(std::string_view text) {
  if (kept_ < 0 || !problem_.empty()) return;
  if (const int error = write_all(kept_, text); error != 0) problem_ = std::strerror(error);
}

std::string CertificateFile::text() {
  std::string result;
  if (kept_ < 0 || !problem_.empty()) return result;
  // It is written with O_APPEND: where it is read does not matter to that.
  const int error = lseek(kept_, 0, SEEK_SET) < 0 ? errno : read_all(kept_, result);
  if (error == 0) return result;
  problem_ = std::strerror(error);
  return "";
}

std::string CertificateFile::finish() {
  const std::string whole = text();
  if (!problem_.empty()) return "cannot keep the certificate in $TMPDIR: " + problem_;
  std::string problem = target_->write(whole);
  return problem.empty() ? target_->publish() : problem;
}

}  // namespace heddle::explore
