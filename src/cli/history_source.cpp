#include "cli/history_source.hpp"

#include <utility>

#include "history/open.hpp"

namespace heddle::cli {

Result<OpenedHistory> open_history(const std::string& path, const std::string& format) {
  auto known = history::format_of_name(format);
  if (!known && !format.empty())
    return Error{"unknown format '" + format + "': there are hist, std and text"};
  auto source = history::open_source(path, known);
  if (!source) return source.failure();
  const auto* reader = dynamic_cast<const history::Reader*>(source->get());
  return OpenedHistory{std::move(*source), reader};
}

}  // namespace heddle::cli
