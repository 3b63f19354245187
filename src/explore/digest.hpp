// A number for a partial order of steps: equal for all its linearisations, and (up to collisions of 128 bits)
// different from every other.
//
// It is a sum over the steps, so their order does not matter. Each step adds a hash of its actor, its position among
// its actor's steps, its operation, and the number of steps of each actor that happen before it.
#pragma once

#include <string>
#include <string_view>

#include "explore/execution.hpp"

namespace heddle::explore {

struct Digest {
  u64 high = 0, low = 0;
  auto operator<=>(const Digest&) const = default;
};

inline u64 digest_mix(u64 x) {
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ull;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebull;
  return x ^ (x >> 31);
}

// Of an actor, by its spawn path: numbers differ between explorations.
inline u64 digest_salt(std::string_view path) {
  u64 salt = 0x9e3779b97f4a7c15ull;
  for (char c : path) salt = digest_mix(salt + static_cast<u8>(c));
  return salt;
}

// What one step adds. `knows`: the sum of digest_known over the actors with a nonzero clock entry.
inline u64 digest_known(u64 salt, u32 steps) { return digest_mix(salt ^ digest_mix(steps)); }

inline void digest_add(Digest& sum, u64 salt, u32 index, Op op, u64 knows) {
  u64 at = digest_mix(salt + 3 * u64{index}) ^ digest_mix(static_cast<u64>(op) + 17);
  sum.high += digest_mix(digest_mix(knows + 1) ^ at);
  sum.low += digest_mix(digest_mix(knows + 0x5851f42d4c957f2dull) + digest_mix(at));
}

// 32 hexadecimal digits.
std::string to_text(const Digest& digest);
bool parse_digest(std::string_view text, Digest& digest);

}  // namespace heddle::explore
