#include "explore/session/certificate_file.hpp"

#include <sys/types.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

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
  while (kept_ >= 0 && problem_.empty() && !text.empty()) {
    const ssize_t done = write(kept_, text.data(), text.size());
    if (done < 0 && errno == EINTR) continue;
    if (done < 0)
      problem_ = std::strerror(errno);
    else
      text.remove_prefix(static_cast<std::size_t>(done));
  }
}

std::string CertificateFile::text() const {
  std::string result;
  char part[1 << 16];
  for (ssize_t got; kept_ >= 0 && problem_.empty() &&
                    (got = pread(kept_, part, sizeof part, static_cast<off_t>(result.size()))) > 0;)
    result.append(part, static_cast<std::size_t>(got));
  return result;
}

std::string CertificateFile::finish() {
  if (!problem_.empty()) return "cannot keep the certificate in $TMPDIR: " + problem_;
  std::string problem = target_->write(text());
  return problem.empty() ? target_->publish() : problem;
}

}  // namespace heddle::explore
