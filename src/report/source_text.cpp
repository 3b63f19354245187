#include "report/source_text.hpp"

#include "support/files.hpp"

namespace heddle::report {
namespace {

// Larger files are generated; reading them for one line is not worth it.
constexpr std::size_t kMaxLines = 1'000'000;
// A longer line is cut: the quote is to recognise the place, not to read the program.
constexpr std::size_t kMaxColumns = 200;

std::vector<std::string> read_lines(const std::string& path) {
  std::vector<std::string> lines;
  const auto text = read_file(path);
  if (!text) return lines;
  for (const std::string_view line : lines_of(*text))
    if (lines.size() < kMaxLines) lines.emplace_back(line.substr(0, kMaxColumns));
  return lines;
}

}  // namespace

std::optional<SourceQuote> SourceText::quote(const Frame* frame) {
  if (!frame || frame->path.empty() || frame->line <= 0) return std::nullopt;
  auto [it, fresh] = files_.try_emplace(frame->path);
  if (fresh) it->second = read_lines(frame->path);
  if (static_cast<std::size_t>(frame->line) > it->second.size()) return std::nullopt;
  SourceQuote quote{frame->line, frame->column, it->second[frame->line - 1]};
  // Tabs count as one column for compilers; as one space the marker stays below its character.
  for (char& c : quote.text)
    if (c == '\t' || c == '\r') c = ' ';
  if (static_cast<std::size_t>(quote.column) > quote.text.size()) quote.column = 0;
  return quote;
}

}  // namespace heddle::report
