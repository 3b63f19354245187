// Opens a verb's input as a source of events, in any format.
#pragma once

#include <memory>
#include <string>

#include "history/reader.hpp"
#include "support/result.hpp"

namespace heddle::history {

struct OpenedHistory {
  std::unique_ptr<EventSource> source;
  const Reader* reader = nullptr;  // if it is a file of our own

  // Its description of the program, as lines of docs/raw-log.md.
  std::string about() const { return reader ? reader->text() : ""; }
};

// `format` is "hist", "std" or "text"; empty: detected.
Result<OpenedHistory> open_history(const std::string& path, const std::string& format);

}  // namespace heddle::history
