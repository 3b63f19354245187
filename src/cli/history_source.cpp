#include "cli/history_source.hpp"

#include <utility>

namespace heddle::cli {

report::Result<OpenedHistory> open_history(const std::string& path, const std::string& format) {
  if (format != "hist") return report::Error{"unknown format '" + format + "': there is hist"};
  auto reader = history::Reader::open(path);
  if (!reader) return report::Error{reader.error()};
  const history::Reader* known = reader->get();
  return OpenedHistory{std::move(*reader), known};
}

}  // namespace heddle::cli
