// Numbers for names: the first name is 0, the next new one 1, and so on. Names are stored once, concatenated.
//
// Cost: with millions of names, each memory location is a cache miss. A name like V123 is mostly found in a table by
// its value; other names of up to fifteen bytes in one or two slots of a hash table, without reading the name itself.
#pragma once

#include <algorithm>
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
    u32* known = numbered(name);
    if (!known) return look_up(name);
    if (*known == 0) *known = look_up(name) + 1;
    return *known - 1;
  }

  // REQUIRES: number < size().
  std::string_view name(u32 number) const {
    usize begin = number == 0 ? 0 : ends_[number - 1];
    return std::string_view(text_).substr(begin, ends_[number] - begin);
  }
  u32 size() const { return static_cast<u32>(ends_.size()); }

 private:
  // A short name itself, with its length; of a long one its hash.
  struct Key {
    static constexpr usize kInline = 15;
    u64 low = 0, high = 0;
    bool operator==(const Key&) const = default;
  };
  struct Slot {
    Key key;
    u32 next_number = 0;  // the number plus one; 0 is free
  };

  u32 look_up(std::string_view name) {
    const Key key = key_of(name);
    usize at = place_of(key);
    for (; slots_[at].next_number != 0; at = next(at))
      if (slots_[at].key == key &&
          (name.size() <= Key::kInline || this->name(slots_[at].next_number - 1) == name))
        return slots_[at].next_number - 1;
    text_.append(name);
    ends_.push_back(text_.size());
    slots_[at] = {key, size()};
    if (ends_.size() * 2 > slots_.size()) grow();
    return size() - 1;
  }

  // The table entry of a name like V123 or 123, if it is one: they are mostly dense.
  u32* numbered(std::string_view name) {
    if (name.empty() || name.size() > 9) return nullptr;
    const bool has_letter = name[0] < '0' || name[0] > '9';
    const u8 letter = has_letter ? static_cast<u8>(name[0]) : 0;
    const std::string_view digits = name.substr(has_letter);
    if (letter >= kLetters || digits.empty() || (digits[0] == '0' && digits.size() > 1)) return nullptr;
    u32 value = 0;
    for (char digit : digits) {
      if (digit < '0' || digit > '9') return nullptr;
      value = value * 10 + static_cast<u32>(digit - '0');
    }
    std::vector<u32>& table = by_value_[letter];
    if (value < table.size()) return &table[value];
    if (value >= 1024 + 4 * u64{size()}) return nullptr;  // a table for it would be mostly empty
    table.resize(std::max<usize>(value + 1, table.size() * 2));
    return &table[value];
  }

  static u64 mix(u64 hash, u64 word) {
    hash = (hash ^ word) * 0xbf58476d1ce4e5b9ull;
    return hash ^ hash >> 32;
  }
  // Up to eight bytes, the rest zero.
  static u64 load(const char* at, usize size) {
    u64 word = 0;
    if (size >= 8) {
      std::memcpy(&word, at, 8);
    } else if (size >= 4) {
      u32 first, last;  // which may overlap
      std::memcpy(&first, at, 4);
      std::memcpy(&last, at + size - 4, 4);
      word = first | u64{last} << (8 * (size - 4));
    } else {
      for (usize i = 0; i < size; ++i) word |= u64{static_cast<u8>(at[i])} << (8 * i);
    }
    return word;
  }
  static Key key_of(std::string_view name) {
    if (name.size() <= Key::kInline) {
      u64 high = name.size() > 8 ? load(name.data() + 8, name.size() - 8) : 0;
      return {load(name.data(), name.size()), high | u64{name.size()} << 56};
    }
    u64 hash = name.size();
    for (usize at = 0; at < name.size(); at += 8) hash = mix(hash, load(name.data() + at, name.size() - at));
    return {hash, ~u64{0}};
  }
  usize place_of(const Key& key) const { return mix(mix(1, key.low), key.high) & (slots_.size() - 1); }
  usize next(usize at) const { return (at + 1) & (slots_.size() - 1); }

  void grow() {
    std::vector<Slot> old(slots_.size() * 2);
    slots_.swap(old);
    for (const Slot& slot : old) {
      if (slot.next_number == 0) continue;
      usize at = place_of(slot.key);
      while (slots_[at].next_number != 0) at = next(at);
      slots_[at] = slot;
    }
  }

  static constexpr u8 kLetters = 128;
  std::vector<u32> by_value_[kLetters];  // the number plus one; 0 is not known
  std::string text_;
  std::vector<usize> ends_;
  std::vector<Slot> slots_;
};

}  // namespace heddle::history
