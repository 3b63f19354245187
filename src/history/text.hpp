// Histories as text: the output of `heddle history --dump`, and its inverse. One event per line: the task, the
// operation, and the rest in the order of event.hpp; `#` starts a comment.
//
//   0 spawn 1 thread           1 begin 2
//   0 spawn 2 depend in 0x10   1 acquire 0 read
//   1 write 0x1000 8 site 5    1 read 0x1000 8 atomic bound
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "history/lines.hpp"
#include "history/source.hpp"

namespace heddle::history {

// With its newline.
std::string to_text(const event::Event& event);

// The event of a line; nothing for an empty line or a comment; else the error.
struct ParsedLine {
  std::optional<event::Event> event;
  std::string problem;
};
ParsedLine parse_line(std::string_view line);

class TextSource : public EventSource {
 public:
  explicit TextSource(std::unique_ptr<Input> input) : lines_(std::move(input)) {}
  bool next(Batch& batch) override;

 private:
  Lines lines_;
  event::Event event_;
  std::vector<Record> memory_;
  bool over_ = false;
};

}  // namespace heddle::history
