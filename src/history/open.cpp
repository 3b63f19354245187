#include "history/open.hpp"

#include "history/chunk.hpp"
#include "history/reader.hpp"
#include "history/std_import.hpp"
#include "history/text.hpp"

namespace heddle::history {

std::optional<Format> format_of_name(std::string_view name) {
  if (name == "hist") return Format::kHistory;
  if (name == "std") return Format::kStd;
  if (name == "text") return Format::kText;
  return std::nullopt;
}

Result<std::unique_ptr<EventSource>> open_source(const std::string& path, std::optional<Format> format) {
  auto input = open_file(path);
  if (!input) return Error{input.error()};
  if (!format) {
    u8 header[FileHeader::kSize];
    usize got = (*input)->read(0, header);
    format = begins_like_a_history({header, got}) ? Format::kHistory
             : path.ends_with(".std")             ? Format::kStd
                                                  : Format::kText;
  }
  switch (*format) {
    case Format::kStd:
      return std::unique_ptr<EventSource>(new StdImport(std::move(*input)));
    case Format::kText:
      return std::unique_ptr<EventSource>(new TextSource(std::move(*input)));
    case Format::kHistory:
      break;
  }
  auto reader = Reader::open(std::move(*input));
  if (!reader) return Error{"'" + path + "': " + reader.error(), true};
  return std::unique_ptr<EventSource>(std::move(*reader));
}

}  // namespace heddle::history
