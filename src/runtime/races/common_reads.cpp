#include "runtime/races/common_reads.hpp"

namespace heddle {

using race::Access;

namespace {

// Is there nothing to report about an access, and nothing to remember? So it is if everything remembered that conflicts
// with it comes before, and something remembered stands for it. For all tasks that wait for the same join if it is a
// read, and there is no write at all.
enum class Superfluous : u8 { kNo, kHere, kInScope };

Superfluous superfluous(const race::Cell& cell, const Access& now, StrandContext& context) {
  if (cell.has_list()) return Superfluous::kNo;
  bool stands = false, in_scope = false, written = false;
  for (const Access& earlier : {cell.first, cell.second}) {
    if (earlier.empty()) break;
    written |= earlier.write();
    const bool covers = !earlier.claims() && race::as_strong(earlier.what, now.what & race::kDemand) &&
                        (earlier.lockset() == 0 || earlier.lockset() == now.lockset());
    if (earlier.strand == now.strand) {
      stands |= covers;
      continue;
    }
    if (earlier.task() == now.task() || context.before_by_structure(earlier)) continue;
    if (race::conflict(earlier, now)) return Superfluous::kNo;
    if (stands || !covers) continue;
    race::StandsFrom from = context.stands_from(earlier);
    stands = earlier.index() >= from.by_structure && earlier.index() >= from.in_full;
    in_scope = stands && earlier.lockset() == 0 && earlier.bytes() == 0xff &&
               context.find(earlier.task())->wait == context.task().wait;
  }
  if (!stands) return Superfluous::kNo;
  return in_scope && !written && !now.write() ? Superfluous::kInScope : Superfluous::kHere;
}

}  // namespace

bool changes_nothing(ThreadState& thread, const Block& block, uptr base, u32 granule, const Access& now) {
  const u32 version = block.lock.look();
  auto unchanged = [&] { return block.lock.unchanged_since(version); };
  race::BlockCells::Glance cells(block.remembers, unchanged);
  if (!cells.valid() || __atomic_load_n(&block.freed, __ATOMIC_RELAXED) ||
      __atomic_load_n(&block.quiescent_point, __ATOMIC_RELAXED) != rt().order.quiescent_points())
    return false;
  const race::Cell cell = cells.get(granule);
  constexpr u64 kSame = race::kLocksetMask | race::kClaims;
  auto remembers = [&](const Access& own) {
    return own.strand == now.strand && race::as_strong(own.what, now.what & race::kDemand) &&
           ((own.what ^ now.what) & kSame) == 0;
  };
  if (cell.has_list()) return false;
  StrandContext context(thread, base);
  if (!remembers(cell.first) && !remembers(cell.second) &&
      superfluous(cell, now, context) == Superfluous::kNo)
    return false;
  return unchanged();
}

namespace {

// Looks for all granules that remember nothing but reads, one of which stands for any by a task of the scope: who
// writes to a block that many read should do so seldom. `version` is from before something was found out about it.
HEDDLE_NOINLINE void note_common_reads(Block& block, u32 version, StrandContext& context,
                                       const Access& whole_read, u32 found) {
  const order::Scope* scope = context.task().wait;
  // The block is not held yet: whoever is at work may have written one of the two so far.
  const order::Scope* whose = __atomic_load_n(&block.common_to, __ATOMIC_RELAXED);
  const bool other = whose && whose != scope && __atomic_load_n(&block.common_reads, __ATOMIC_RELAXED) &&
                     !whose->closed.load(std::memory_order_relaxed);
  if (other || !block.lock.try_lock(version)) return;
  u32 common = block.common_to == scope ? block.common_reads : 0;
  const race::BlockCells& cells = block.remembers;
  if (cells.uniform()) {
    common = cells.touched();
  } else if (count_bits(cells.touched()) < 2 * count_bits(common)) {
    common |= found;
  } else {
    for (u32 left = cells.touched() & ~common; left; left &= left - 1)
      if (superfluous(cells.at(static_cast<u32>(__builtin_ctz(left))), whole_read, context) ==
          Superfluous::kInScope)
        common |= left & -left;
  }
  block.common_reads = common;
  block.common_to = scope;
  block.lock.unlock();
}

}  // namespace

bool changes_nothing(ThreadState& thread, const BlockSet& set) {
  Block& block = *set.shadow;
  const u32 version = block.lock.look();
  auto unchanged = [&] { return block.lock.unchanged_since(version); };
  if (__atomic_load_n(&block.freed, __ATOMIC_RELAXED) ||
      __atomic_load_n(&block.quiescent_point, __ATOMIC_RELAXED) != rt().order.quiescent_points())
    return false;
  u32 left = granules_of(set.pending) & ~common_reads(thread, block);
  if (!left) return unchanged();
  if (left & ~block.remembers.glance_at_touched()) return false;
  race::BlockCells::Glance cells(block.remembers, unchanged);
  if (!cells.valid()) return false;
  StrandContext context(thread, block_base(set));
  Access now{thread.strand, thread.what | (set.atomic() ? u64{0} : u64{race::kPlain})};
  u32 in_scope = 0;
  auto needless = [&](const race::Cell& cell, u64 bytes, u32 granules) {
    const Superfluous found = superfluous(cell, {now.strand, now.what | bytes << race::kBytesShift}, context);
    if (found == Superfluous::kInScope) in_scope |= granules;
    return found != Superfluous::kNo;
  };
  const bool whole = !((set.pending ^ set.pending >> 1) & words_of(left) & 0x5555555555555555);
  if (cells.uniform() && (cells.touched() & left) == left && whole) {
    if (!needless(cells.get(static_cast<u32>(__builtin_ctz(left))), 0xff, left)) return false;
  } else {
    for (; left; left &= left - 1) {
      const u32 granule = static_cast<u32>(__builtin_ctz(left));
      const u32 words = static_cast<u32>(set.pending >> 2 * granule) & 3;
      if (!needless(cells.get(granule), bytes_of_halves(words), left & -left)) return false;
    }
  }
  if (!unchanged()) return false;
  now.what |= u64{0xff} << race::kBytesShift;
  // An atomic read would not stand for plain ones.
  if (in_scope && !set.atomic()) note_common_reads(block, version, context, now, in_scope);
  return true;
}

}  // namespace heddle
