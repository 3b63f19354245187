#include "runtime/shadow/access_sets.hpp"

#include <emmintrin.h>

namespace heddle {

namespace {
constexpr u32 kFew = 8;  // units that are checked one by one
}

u64 units_with(const UnitSet& set, AccessKey key) {
  u64 found = 0;
  u64 left = set.pending;
  for (u32 i = 0; i < kFew && left; ++i, left &= left - 1)
    if (set.keys[__builtin_ctzll(left)] == key) found |= left & -left;
  return left ? words_equal(set.keys, key) & set.pending : found;
}

u64 words_equal(const AccessKey* keys, AccessKey key) {
  u64 found = 0;
  const __m128i wanted = _mm_set1_epi32(static_cast<int>(key));
  for (u32 i = 0; i < AccessSets::kWords; i += 4) {
    __m128i some = _mm_load_si128(reinterpret_cast<const __m128i*>(keys + i));
    auto equal = static_cast<u32>(_mm_movemask_ps(_mm_castsi128_ps(_mm_cmpeq_epi32(some, wanted))));
    found |= u64{equal} << i;
  }
  return found;
}

void set_words(AccessKey* keys, u64 words, AccessKey key) {
  while (words) {
    const u32 first = static_cast<u32>(__builtin_ctzll(words));
    const u64 rest = ~(words >> first);
    const u32 end = rest ? first + static_cast<u32>(__builtin_ctzll(rest)) : AccessSets::kWords;
    for (u32 i = first; i < end; ++i) keys[i] = key;
    if (end == AccessSets::kWords) return;
    words &= ~u64{0} << end;
  }
}

u64 AccessSets::Keys::same_as(u32 word) const {
  return repeated.again >> word & 1 ? repeated.again & words_equal(again_of_word, again_of_word[word])
                                    : ~repeated.again & words_equal(of_word, of_word[word]);
}

namespace {
__m128i four(const AccessKey* keys) { return _mm_load_si128(reinterpret_cast<const __m128i*>(keys)); }
}  // namespace

bool same_keys(const AccessKey* a, const AccessKey* b) {
  __m128i different = _mm_setzero_si128();
  for (u32 i = 0; i < AccessSets::kWords; i += 4)
    different = _mm_or_si128(different, _mm_xor_si128(four(a + i), four(b + i)));
  return _mm_movemask_epi8(_mm_cmpeq_epi8(different, _mm_setzero_si128())) == 0xffff;
}

u32 hash_keys(const BlockSet& set) {
  const AccessKey* keys = set.keys;
  u64 few = set.pending * 0x9e3779b97f4a7c15ull;
  u64 left = set.pending;
  for (u32 i = 0; i < kFew && left; ++i, left &= left - 1)
    few = (few ^ keys[__builtin_ctzll(left)]) * 0x9e3779b97f4a7c15ull;
  if (!left) return static_cast<u32>(few >> 32);
  __m128i hash = four(keys);
  for (u32 i = 4; i < AccessSets::kWords; i += 4)
    hash = _mm_xor_si128(_mm_xor_si128(_mm_slli_epi32(hash, 3), _mm_srli_epi32(hash, 29)), four(keys + i));
  alignas(16) u32 parts[4];
  _mm_store_si128(reinterpret_cast<__m128i*>(parts), hash);
  u32 sum = 0;
  for (u32 part : parts) sum = (sum + part) * 0x9e3779b1u;
  return sum ^ sum >> 16;
}

bool has_keys(const BlockSet& set, const AccessKey* keys) {
  u64 left = set.pending;
  for (u32 i = 0; i < kFew && left; ++i, left &= left - 1) {
    const u32 word = static_cast<u32>(__builtin_ctzll(left));
    if (set.keys[word] != keys[word]) return false;
  }
  return !left || same_keys(set.keys, keys);
}

}  // namespace heddle
