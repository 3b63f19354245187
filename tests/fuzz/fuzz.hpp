// Fuzz targets: each takes any bytes and must return. Under libFuzzer (scripts/fuzz) the bytes are chosen to reach
// every branch; as normal tests the targets get the stored corpus (corpus_main.cpp).
#pragma once

#include <cstdio>
#include <cstdlib>
#include <span>
#include <string>

#include "base/types.hpp"
#include "history/check.hpp"
#include "history/source.hpp"
#include "history/text.hpp"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

namespace heddle::fuzz {

// What must hold for any input.
inline void require(bool holds, const char* what, const std::string& details = "") {
  if (holds) return;
  std::fprintf(stderr, "does not hold: %s\n%s\n", what, details.c_str());
  std::abort();
}

// All events as text, and whether they follow the rules.
struct Seen {
  std::string text;
  std::string illegal;
};
inline Seen look_at(history::EventSource& source) {
  Seen seen;
  history::Checker checker;
  history::for_each_event(source, [&](const auto& event) {
    seen.text += history::to_text(event);
    checker.add(event);
  });
  seen.illegal = checker.problem();
  return seen;
}

inline std::span<const u8> bytes_of(const std::string& text) {
  return {reinterpret_cast<const u8*>(text.data()), text.size()};
}

}  // namespace heddle::fuzz
