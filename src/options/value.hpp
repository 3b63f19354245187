// The types of option values, and their only parser. The tool and the program parse values with this code, so they
// accept the same ones. It needs no library: it is part of the user's program.
#pragma once

#include "base/types.hpp"

namespace heddle::options {

enum class Kind : u8 {
  kFlag,     // 0, 1, false, true, no, yes, off, on; the name alone means 1, no-NAME means 0
  kNumber,   // a decimal number within bounds
  kSeconds,  // the same with up to six decimals
  kChoice,   // one of some words
  kChoices,  // some of them, separated by commas
  kNumbers,  // numbers separated by commas; repeating the option adds to them
  kFile,     // a path
  kWord,     // a name, or several separated by commas, checked by the verb against its registry
  kList,     // a text; repeating the option adds to it
};

struct Type {
  Kind kind;
  const char* value;        // its name in --help; of kChoice and kChoices the words, separated by `|`
  u64 least = 0, most = 0;  // of kNumber, kNumbers and kSeconds (whole seconds)
};

constexpr Type flag() { return {Kind::kFlag, ""}; }
constexpr Type number(const char* value, u64 least, u64 most) { return {Kind::kNumber, value, least, most}; }
// The largest limit: thirty years.
constexpr Type seconds() { return {Kind::kSeconds, "SECONDS", 0, 1000000000}; }
constexpr Type choice(const char* words) { return {Kind::kChoice, words}; }
constexpr Type choices(const char* words) { return {Kind::kChoices, words}; }
constexpr Type numbers(const char* value, u64 least, u64 most) {
  return {Kind::kNumbers, value, least, most};
}
constexpr Type file(const char* value = "FILE") { return {Kind::kFile, value}; }
constexpr Type word(const char* value = "NAME") { return {Kind::kWord, value}; }
constexpr Type list(const char* value) { return {Kind::kList, value}; }

// A part of a text, without a terminating zero.
struct Slice {
  const char* begin = nullptr;
  const char* end = nullptr;
  constexpr usize size() const { return static_cast<usize>(end - begin); }
  constexpr bool is(Slice other) const {
    if (size() != other.size()) return false;
    for (usize i = 0; i < size(); ++i)
      if (begin[i] != other.begin[i]) return false;
    return true;
  }
  // Removes the part before the separator, and the separator, and returns that part.
  constexpr Slice take_until(char separator) {
    const char* at = begin;
    while (at != end && *at != separator) ++at;
    const Slice part{begin, at};
    begin = at == end ? end : at + 1;
    return part;
  }
};

constexpr Slice slice(const char* text) {
  const char* end = text;
  while (*end) ++end;
  return {text, end};
}

enum class Problem : u8 { kNone, kNoValue, kNotAFlag, kNotANumber, kNotSeconds, kOutOfBounds, kNotAWord };

// `meaning`: 0 or 1 of a flag, the number, microseconds, the index of the word, a bit for each word. Of texts 0.
struct Value {
  u64 meaning = 0;
  Problem problem = Problem::kNone;
};

constexpr u64 kMicroseconds = 1000000;

namespace detail {

constexpr Value refused(Problem problem) { return {0, problem}; }

constexpr Value parse_flag(Slice text) {
  constexpr const char* kOff[] = {"0", "false", "no", "off"};
  constexpr const char* kOn[] = {"1", "true", "yes", "on"};
  for (const char* word : kOff)
    if (text.is(slice(word))) return {0};
  for (const char* word : kOn)
    if (text.is(slice(word))) return {1};
  return refused(Problem::kNotAFlag);
}

constexpr Value parse_digits(Slice text) {
  if (text.size() == 0) return refused(Problem::kNotANumber);
  u64 value = 0;
  for (; text.begin != text.end; ++text.begin) {
    if (*text.begin < '0' || *text.begin > '9') return refused(Problem::kNotANumber);
    const u64 digit = static_cast<u64>(*text.begin - '0');
    if (value > (~u64{0} - digit) / 10) return refused(Problem::kOutOfBounds);
    value = value * 10 + digit;
  }
  return {value};
}

constexpr Value parse_number(const Type& type, Slice text) {
  const Value value = parse_digits(text);
  if (value.problem != Problem::kNone) return value;
  return value.meaning < type.least || value.meaning > type.most ? refused(Problem::kOutOfBounds) : value;
}

constexpr Value parse_seconds(const Type& type, Slice text) {
  const Slice whole = text.take_until('.');
  const bool has_point = whole.end != text.end;
  const Value value = parse_digits(whole);
  if (value.problem == Problem::kNotANumber) return refused(Problem::kNotSeconds);
  u64 micros = 0, unit = kMicroseconds;
  if (has_point && text.size() == 0) return refused(Problem::kNotSeconds);
  for (; text.begin != text.end; ++text.begin) {
    if (*text.begin < '0' || *text.begin > '9' || unit == 1) return refused(Problem::kNotSeconds);
    unit /= 10;
    micros += unit * static_cast<u64>(*text.begin - '0');
  }
  if (value.problem != Problem::kNone || value.meaning > type.most ||
      (value.meaning == type.most && micros > 0))
    return refused(Problem::kOutOfBounds);
  return {value.meaning * kMicroseconds + micros};
}

}  // namespace detail

// The index of a word among `a|b|c`.
constexpr Value parse_choice(const char* words, Slice text) {
  Slice rest = slice(words);
  for (u64 index = 0; rest.begin != rest.end; ++index)
    if (rest.take_until('|').is(text)) return {index};
  return detail::refused(Problem::kNotAWord);
}

constexpr Value parse_value(const Type& type, Slice text) {
  if (text.size() == 0) return detail::refused(Problem::kNoValue);
  switch (type.kind) {
    case Kind::kFlag:
      return detail::parse_flag(text);
    case Kind::kNumber:
      return detail::parse_number(type, text);
    case Kind::kSeconds:
      return detail::parse_seconds(type, text);
    case Kind::kChoice:
      return parse_choice(type.value, text);
    case Kind::kChoices:
    case Kind::kNumbers: {
      Value all;
      for (bool more = true; more;) {
        const Slice part = text.take_until(',');
        more = part.end != text.end;
        const Value one =
            type.kind == Kind::kChoices ? parse_choice(type.value, part) : detail::parse_number(type, part);
        if (one.problem != Problem::kNone) return one;
        if (type.kind == Kind::kChoices) all.meaning |= u64{1} << one.meaning;
      }
      return all;
    }
    case Kind::kFile:
    case Kind::kWord:
    case Kind::kList:
      return {};
  }
  return {};
}

}  // namespace heddle::options
