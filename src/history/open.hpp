// Opens a history in any format.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "history/source.hpp"
#include "support/result.hpp"

namespace heddle::history {

enum class Format : u8 {
  kHistory,  // recorded: docs/history-format.md
  kStd,      // RAPID's text format
  kText,     // the output of `heddle history --dump`
};
// "hist", "std" or "text".
std::optional<Format> format_of_name(std::string_view name);

// Without a format: a file that begins like a history is one, other files with names in .std are RAPID's, the rest is
// text.
Result<std::unique_ptr<EventSource>> open_source(const std::string& path,
                                                 std::optional<Format> format = std::nullopt);

}  // namespace heddle::history
