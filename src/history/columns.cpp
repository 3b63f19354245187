#include "history/columns.hpp"

#include <bit>
#include <cstring>
#include <utility>

#include "base/check.hpp"

static_assert(std::endian::native == std::endian::little, "records are stored as they are in memory");

namespace heddle::history {
namespace {

struct Words {
  u64 what;   // op, flags, size, a
  u64 where;  // address, or b and the ticket
};
static_assert(sizeof(Words) == sizeof(Record));

// The base of a difference.
class Previous {
 public:
  u64& of(u64 what) {
    bool ticket = has_ticket(static_cast<Op>(what & 0xff));
    return last_[ticket ? kSites : what >> 32 & (kSites - 1)];
  }

 private:
  static constexpr u32 kSites = 256;  // stays in the first-level cache
  u64 last_[kSites + 1] = {};
};

// Transposes a matrix of eight words of eight bytes: blocks of four, two and one bytes are swapped across the
// diagonal.
HEDDLE_INLINE void transpose(u64 (&rows)[8]) {
  auto swap = [&](u32 a, u32 b, u32 shift, u64 mask) {
    u64 changes = (rows[a] >> shift ^ rows[b]) & mask;
    rows[b] ^= changes;
    rows[a] ^= changes << shift;
  };
  for (u32 i = 0; i < 4; ++i) swap(i, i + 4, 32, 0x00000000ffffffff);
  for (u32 i : {0, 1, 4, 5}) swap(i, i + 2, 16, 0x0000ffff0000ffff);
  for (u32 i : {0, 2, 4, 6}) swap(i, i + 1, 8, 0x00ff00ff00ff00ff);
}

}  // namespace

void to_columns(std::span<const Record> records, std::span<u8> columns) {
  HEDDLE_CHECK(columns.size() == records.size() * sizeof(Record));
  const usize count = records.size();
  Previous previous;
  auto get = [&](usize at) {
    Words words;
    std::memcpy(&words, &records[at], sizeof words);
    u64& last = previous.of(words.what);
    return Words{words.what, words.where - std::exchange(last, words.where)};
  };
  usize i = 0;
  for (; i + 8 <= count; i += 8) {
    u64 what[8], where[8];
    for (u32 k = 0; k < 8; ++k) {
      Words words = get(i + k);
      what[k] = words.what;
      where[k] = words.where;
    }
    transpose(what);
    transpose(where);
    for (u32 byte = 0; byte < 8; ++byte) {
      std::memcpy(&columns[byte * count + i], &what[byte], 8);
      std::memcpy(&columns[(8 + byte) * count + i], &where[byte], 8);
    }
  }
  for (; i < count; ++i) {
    Words words = get(i);
    for (u32 byte = 0; byte < 8; ++byte) {
      columns[byte * count + i] = static_cast<u8>(words.what >> (8 * byte));
      columns[(8 + byte) * count + i] = static_cast<u8>(words.where >> (8 * byte));
    }
  }
}

void from_columns(std::span<const u8> columns, std::span<Record> records) {
  HEDDLE_CHECK(columns.size() == records.size() * sizeof(Record));
  const usize count = records.size();
  Previous previous;
  auto put = [&](usize at, u64 what, u64 difference) {
    u64& last = previous.of(what);
    last += difference;
    Words words{what, last};
    std::memcpy(static_cast<void*>(&records[at]), &words, sizeof words);
  };
  usize i = 0;
  for (; i + 8 <= count; i += 8) {
    u64 what[8], where[8];
    for (u32 byte = 0; byte < 8; ++byte) {
      std::memcpy(&what[byte], &columns[byte * count + i], 8);
      std::memcpy(&where[byte], &columns[(8 + byte) * count + i], 8);
    }
    transpose(what);
    transpose(where);
    for (u32 k = 0; k < 8; ++k) put(i + k, what[k], where[k]);
  }
  for (; i < count; ++i) {
    u64 what = 0, where = 0;
    for (u32 byte = 0; byte < 8; ++byte) {
      what |= u64{columns[byte * count + i]} << (8 * byte);
      where |= u64{columns[(8 + byte) * count + i]} << (8 * byte);
    }
    put(i, what, where);
  }
}

}  // namespace heddle::history
