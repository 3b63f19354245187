#include "history/checksum.hpp"

#include <array>
#include <cstring>

namespace heddle::history {
namespace {

// Eight bytes a step: table k holds what a byte does to the remainder when k more bytes follow it.
using Tables = std::array<std::array<u32, 256>, 8>;

constexpr Tables make_tables() {
  constexpr u32 kPolynomial = 0x82f63b78;  // reflected
  Tables tables{};
  for (u32 byte = 0; byte < 256; ++byte) {
    u32 rest = byte;
    for (u32 bit = 0; bit < 8; ++bit) rest = rest >> 1 ^ (rest & 1 ? kPolynomial : 0);
    tables[0][byte] = rest;
  }
  for (u32 k = 1; k < 8; ++k)
    for (u32 byte = 0; byte < 256; ++byte)
      tables[k][byte] = tables[k - 1][byte] >> 8 ^ tables[0][tables[k - 1][byte] & 0xff];
  return tables;
}

constexpr Tables kTables = make_tables();

}  // namespace

u32 checksum(std::span<const u8> bytes) {
  u32 rest = ~u32{0};
  const u8* at = bytes.data();
  usize left = bytes.size();
  for (; left >= 8; left -= 8, at += 8) {
    u64 word;
    std::memcpy(&word, at, 8);
    word ^= rest;
    rest = 0;
    for (u32 i = 0; i < 8; ++i) rest ^= kTables[7 - i][word >> (8 * i) & 0xff];
  }
  for (; left > 0; --left) rest = rest >> 8 ^ kTables[0][(rest ^ *at++) & 0xff];
  return ~rest;
}

}  // namespace heddle::history
