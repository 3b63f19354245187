// Prefixes and executions as bytes. Actor numbers are the sender's; each message has the names that are new since the
// last one, and the receiver translates.
#pragma once

#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include "explore/execution.hpp"

namespace heddle::explore {

class WireWriter {
 public:
  void number(u64 value) { bytes_.append(reinterpret_cast<const char*>(&value), sizeof value); }
  void text(std::string_view words) {
    number(words.size());
    bytes_ += words;
  }
  void actors(const std::vector<ActorNumber>& all);
  void execution(const Execution& execution);
  // Writes the names that the other side lacks, from `known` on, and advances `known`.
  void names(const ActorNames& names, usize& known);
  std::string take() { return std::move(bytes_); }

 private:
  void step(const Step& step);
  std::string bytes_;
};

// Missing or surplus bytes make it `broken`, and all later values 0 or empty.
class WireReader {
 public:
  // `translation`: by the sender's numbers; names() extends it.
  WireReader(std::string_view bytes, std::vector<ActorNumber>& translation)
      : bytes_(bytes), translation_(translation) {}
  u64 number();
  std::string text();
  ActorNumber actor();
  std::vector<ActorNumber> actors();
  Execution execution();
  void names(ActorNames& names);
  bool broken() const { return broken_; }

 private:
  // The number of items that follow, each of at least `size` bytes.
  usize count(usize size);
  Step step();
  std::string_view bytes_;
  std::vector<ActorNumber>& translation_;
  bool broken_ = false;
};

}  // namespace heddle::explore
