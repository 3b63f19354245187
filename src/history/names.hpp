// Numbers for names: the first name that is asked for is 0, the next new one 1, and so on. Names are kept once, behind each other.
//
// Cost: a lookup is a hash and, in a table at most half full, one or two slots.
#pragma once

#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include "base/types.hpp"

namespace heddle::history {

class Names {
 public:
  Names() : slots_(1024) {}

  u32 number(std::string_view name) {
    const u64 hash = hash_of(name);
    usize at = hash & (slots_.size() - 1);
    while (slots_[at].used) {
      if (slots_[at].hash == static_cast<u32>(hash >> 32) && this->name(slots_[at].number) == name)
        return slots_[at].number;
      at = (at + 1) & (slots_.size() - 1);
    }
    u32 number = size();
    text_.append(name);
    ends_.push_back(text_.size());
    slots_[at] = {static_cast<u32>(hash >> 32), number, true};
    if (ends_.size() * 2 > slots_.size()) grow();
    return number;
  }

  // REQUIRES: number < size().
  std::string_view name(u32 number) const {
    usize begin = number == 0 ? 0 : ends_[number - 1];
    return std::string_view(text_).substr(begin, ends_[number] - begin);
  }
  u32 size() const { return static_cast<u32>(ends_.size()); }

 private:
  struct Slot {
    u32 hash = 0;
    u32 number = 0;
    bool used = false;
  };

  static u64 hash_of(std::string_view name) {
    u64 hash = name.size() * 0x9e3779b97f4a7c15ull;
    const char* at = name.data();
    usize left = name.size();
    auto mix = [&](u64 word) {
      hash = (hash ^ word) * 0xbf58476d1ce4e5b9ull;
      hash ^= hash >> 32;
    };
    for (; left >= 8; left -= 8, at += 8) {
      u64 word;
      std::memcpy(&word, at, 8);
      mix(word);
    }
    if (left > 0) {
      u64 word = 0;
      for (usize i = 0; i < left; ++i) word |= u64{static_cast<u8>(at[i])} << (8 * i);
      mix(word);
    }
    return hash;
  }

  void grow() {
    std::vector<Slot> larger(slots_.size() * 2);
    for (u32 number = 0; number < size(); ++number) {
      u64 hash = hash_of(name(number));
      usize at = hash & (larger.size() - 1);
      while (larger[at].used) at = (at + 1) & (larger.size() - 1);
      larger[at] = {static_cast<u32>(hash >> 32), number, true};
    }
    slots_.swap(larger);
  }

  std::string text_;
  std::vector<usize> ends_;
  std::vector<Slot> slots_;
};

}  // namespace heddle::history
