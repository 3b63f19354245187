// Statistics of a history, in one pass. Memory grows with the addresses and sites touched (a bit each, in pages), not
// with events.
#pragma once

#include <array>
#include <string_view>
#include <unordered_map>
#include <variant>

#include "event/event.hpp"
#include "history/source.hpp"

namespace heddle::history {

// A set of clustered numbers: a page of 512 bits for each cluster.
class PagedSet {
 public:
  void add(u64 number) {
    u64 page = number / 512;
    if (!last_ || page != last_page_) {
      last_ = &pages_[page];
      last_page_ = page;
    }
    u64& word = (*last_)[number / 64 % 8];
    u64 bit = u64{1} << (number % 64);
    count_ += (word & bit) == 0;
    word |= bit;
  }
  u64 size() const { return count_; }

 private:
  using Page = std::array<u64, 8>;
  std::unordered_map<u64, Page> pages_;  // whose elements stay where they are
  Page* last_ = nullptr;
  u64 last_page_ = 0, count_ = 0;
};

struct Statistics {
  static constexpr usize kKinds = std::variant_size_v<event::AnyEvent>;

  u64 events = 0;
  std::array<u64, kKinds> of_kind = {};  // by index in event::Event
  u64 reads = 0, writes = 0, atomic = 0, bound = 0, accessed_bytes = 0;
  PagedSet granules, sites, tasks, threads, teams, locks, objects;

  void add(const event::Access& access);
  void add(const event::NewMemory& memory);
  void add(const event::Event& event);
};

// The names of events in texts: "spawn", "team-begin", ... An access is "access".
std::string_view kind_name(usize index);

}  // namespace heddle::history
