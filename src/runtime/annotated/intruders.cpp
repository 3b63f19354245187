#include "runtime/annotated/intruders.hpp"

#include "runtime/annotated/block_pairs.hpp"
#include "runtime/annotated/location.hpp"

namespace heddle::annotated {

namespace {

// A byte's violation is reported once.
void report(uptr granule, u8 bytes, Line& line, const Repeated& made, const Access& pair,
            const Access& intruder, StackId site, race::Evidence evidence) {
  const u32 shift = static_cast<u32>(granule & (kLineSize - 1));
  const u64 broken = u64{bytes} << shift & line.single & ~line.location.broken;
  if (!broken) return;
  line.location.broken |= broken;
  auto part = [&](const Access& access, AccessKey key) {
    const u64 flags = (access.what & race::kFlags & ~u64{race::kWrite}) | (key & 1 ? u64{race::kWrite} : 0);
    return Access{access.strand,
                  race::what_word(key >> 1, access.lockset(), static_cast<u8>(broken >> shift), flags)};
  };
  const bool of_writes = !intruder.write();
  raw_log::violation({granule, part(pair, of_writes ? made.write : made.first),
                      part(intruder, site << 1 | u32{intruder.write()}),
                      part(pair, of_writes ? made.rewrite : made.again), evidence, nullptr, 0});
}

}  // namespace

void race_with_pairs(ThreadState& thread, uptr block, u32 granules, const Access& earlier, const Access& now,
                     race::Evidence evidence) {
  const Page* page = rt().shadow.find(block);
  const AnnotatedPage* annotations = page ? page->annotations.load(std::memory_order_acquire) : nullptr;
  if (!annotations || earlier.free() || now.free()) return;
  BlockPairs* pairs =
      annotations->pairs[(block & (kPageSize - 1)) >> kBlockShift].load(std::memory_order_acquire);
  if (pairs) pairs->forget_before(rt().order.quiescent_points());
  StrandContext context(thread, block);
  // A write comes between any two accesses, a read between two writes.
  auto visit = [&](uptr granule, Line& line, u32 word, u8 bytes) {
    const RepeatedWords* own = thread.checked ? &thread.checked->repeated : nullptr;
    if (own && (earlier.write() ? own->again : own->rewritten) >> word & 1)
      report(granule, bytes & earlier.bytes(), line, rt().repeats.get(thread.checked->again_of_word[word]),
             now, earlier, StrandContext::site_at(earlier, word), evidence);
    if (!pairs) return;
    for (const BlockPair& pair : *pairs) {
      const Access access = pair.access();
      if (!((now.write() ? pair.again : pair.rewritten) >> word & 1) || access.task() == now.task() ||
          context.before_by_structure(access) || context.share_a_lock(pair.locks, now.lockset()))
        continue;
      context.granules = 1u << (word / 2);
      const StrandContext::Racing racing = context.racing(access, now);
      if (!racing.surely && !racing.perhaps) continue;
      report(granule, bytes, line, rt().repeats.get(pair.key(word)), access, now,
             StrandContext::site_at(now, word),
             !racing.surely || context.before_in_full(access) ? race::Evidence::kPredicted
                                                              : race::Evidence::kCertain);
    }
  };
  for (; granules; granules &= granules - 1) {
    const u32 number = static_cast<u32>(__builtin_ctz(granules));
    const uptr granule = block + number * 8u;
    Line* line = find_line(*page, granule);
    for (u32 half = 0; line && half < 2; ++half)
      if (const u8 bytes = now.bytes() & static_cast<u8>(0x0f << 4 * half))
        visit(granule, *line, 2 * number + half, bytes);
  }
}

void intrude(ThreadState& thread, Block& block, uptr base, u32 granules, const Access& access) {
  Page& page = page_of(block, base);
  const AnnotatedPage* annotations = page.annotations.load(std::memory_order_acquire);
  if (!annotations || !(annotations->paired.load(std::memory_order_relaxed) & block_bit(base))) return;
  for (; granules; granules &= granules - 1) {
    const uptr address = base + static_cast<u32>(__builtin_ctz(granules)) * 8u;
    Line* line = find_line(page, address);
    if (!line || line->location.pairs.count() == 0) continue;
    forget_obsolete(line->location, line->quiescent_point);
    const u32 word = 2 * static_cast<u32>(__builtin_ctz(granules));
    Access here = access;
    here.what = race::what_word(StrandContext::site_at(access, word + (access.bytes() & 0x0f ? 0 : 1)),
                                access.lockset(), access.bytes(), access.what & race::kFlags);
    Now now(thread, &block, address & ~(kLineSize - 1), nullptr, here);
    Rules::intrude(line->location,
                   single_of(thread, here, u64{access.bytes()} << (address & (kLineSize - 1))), now);
  }
}

}  // namespace heddle::annotated
