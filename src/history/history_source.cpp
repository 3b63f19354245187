#include "history/history_source.hpp"

#include <utility>

#include "history/open.hpp"

namespace heddle::history {

Result<OpenedHistory> open_history(const std::string& path, const std::string& format) {
  auto known = format_of_name(format);
  if (!known && !format.empty())
    return Error{"unknown format '" + format + "': there are hist, std and text"};
  auto source = open_source(path, known);
  if (!source) return source.failure();
  const auto* reader = dynamic_cast<const Reader*>(source->get());
  return OpenedHistory{std::move(*source), reader};
}

}  // namespace heddle::history
