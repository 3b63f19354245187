// IDEA (Lai and Massey 1990): the cipher of the Java Grande suite's Crypt kernel, as its description says, one block
// at a time.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

namespace idea {

constexpr int kRounds = 8;
constexpr int kSubkeys = 6 * kRounds + 4;
constexpr long kBlock = 8;  // bytes

using Subkeys = std::array<std::uint16_t, kSubkeys>;
using Text = std::vector<std::uint8_t>;

// Multiplication modulo 2^16 + 1, where 0 stands for 2^16.
inline std::uint16_t times(std::uint16_t a, std::uint16_t b) {
  const std::uint64_t x = a ? a : 0x10000, y = b ? b : 0x10000;
  return static_cast<std::uint16_t>(x * y % 0x10001);
}

// a^(p-2) is a's inverse modulo the prime p = 2^16 + 1; p - 2 is sixteen ones in binary.
inline std::uint16_t inverse(std::uint16_t a) {
  std::uint16_t result = a;
  for (int bit = 1; bit < 16; ++bit) result = times(times(result, result), a);
  return result;
}

inline std::uint16_t minus(std::uint16_t a) { return static_cast<std::uint16_t>(-a); }

// The subkeys are 16-bit windows on the 128-bit key, which turns left by 25 bits after every eight of them.
inline Subkeys encryption_keys(unsigned __int128 key) {
  Subkeys keys;
  for (int i = 0; i < kSubkeys; ++i) {
    if (i > 0 && i % 8 == 0) key = key << 25 | key >> 103;
    keys[i] = static_cast<std::uint16_t>(key >> (112 - 16 * (i % 8)));
  }
  return keys;
}

// The rounds backwards, each step by its inverse. The two additive keys of the inner rounds change places, since
// their words do.
inline Subkeys decryption_keys(const Subkeys& e) {
  Subkeys d;
  for (int round = 0; round <= kRounds; ++round) {
    const std::uint16_t* from = &e[6 * (kRounds - round)];
    std::uint16_t* to = &d[6 * round];
    const bool swap = round > 0 && round < kRounds;
    to[0] = inverse(from[0]);
    to[1] = minus(from[swap ? 2 : 1]);
    to[2] = minus(from[swap ? 1 : 2]);
    to[3] = inverse(from[3]);
    if (round == kRounds) break;
    to[4] = e[6 * (kRounds - round) - 2];
    to[5] = e[6 * (kRounds - round) - 1];
  }
  return d;
}

inline void cipher_block(const std::uint8_t* in, std::uint8_t* out, const Subkeys& keys) {
  std::uint16_t word[4];
  for (int i = 0; i < 4; ++i) word[i] = static_cast<std::uint16_t>(in[2 * i] << 8 | in[2 * i + 1]);
  auto [a, b, c, d] = word;
  int k = 0;
  for (int round = 0; round < kRounds; ++round, k += 6) {
    a = times(a, keys[k]);
    b = static_cast<std::uint16_t>(b + keys[k + 1]);
    c = static_cast<std::uint16_t>(c + keys[k + 2]);
    d = times(d, keys[k + 3]);
    const std::uint16_t left = times(static_cast<std::uint16_t>(a ^ c), keys[k + 4]);
    const std::uint16_t right = times(static_cast<std::uint16_t>((b ^ d) + left), keys[k + 5]);
    const auto sum = static_cast<std::uint16_t>(left + right);
    a ^= right;
    d ^= sum;
    const auto old_b = b;
    b = static_cast<std::uint16_t>(c ^ right);
    c = static_cast<std::uint16_t>(old_b ^ sum);
  }
  // The last round's exchange of the middle words is undone.
  const std::uint16_t result[4] = {times(a, keys[k]), static_cast<std::uint16_t>(c + keys[k + 1]),
                                   static_cast<std::uint16_t>(b + keys[k + 2]), times(d, keys[k + 3])};
  for (int i = 0; i < 4; ++i) {
    out[2 * i] = static_cast<std::uint8_t>(result[i] >> 8);
    out[2 * i + 1] = static_cast<std::uint8_t>(result[i]);
  }
}

// The example that the authors of IDEA give: the key 1, 2, ..., 8 and the text 0, 1, 2, 3, as 16-bit words.
inline bool agrees_with_published_example() {
  unsigned __int128 key = 0;
  for (unsigned word = 1; word <= 8; ++word) key = key << 16 | word;
  const std::array<std::uint8_t, kBlock> plain = {0, 0, 0, 1, 0, 2, 0, 3};
  const std::array<std::uint8_t, kBlock> expected = {0x11, 0xfb, 0xed, 0x2b, 0x01, 0x98, 0x6d, 0xe5};
  std::array<std::uint8_t, kBlock> secret;
  cipher_block(plain.data(), secret.data(), encryption_keys(key));
  return secret == expected;
}

}  // namespace idea
