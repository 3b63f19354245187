#include "runtime/annotated/memory.hpp"

#include "runtime/annotated/block_pairs.hpp"
#include "runtime/annotated/bounds.hpp"
#include "runtime/annotated/flags.hpp"
#include "runtime/annotated/steps.hpp"
#include "runtime/races/strand_context.hpp"
#include "runtime/shadow/block_words.hpp"

namespace heddle::annotated {

namespace {

SpinLock g_lock;  // for what is made once: groups, lines
Vector<Group*>& groups() {
  static Vector<Group*>* all = memory::make<Vector<Group*>>();
  return *all;
}

}  // namespace

Line& make_line(Page& page, uptr address) {
  if (Line* line = find_line(page, address)) return *line;
  SpinGuard guard(g_lock);
  AnnotatedPage* annotations = page.annotations.load(std::memory_order_relaxed);
  if (!annotations) {
    annotations = static_cast<AnnotatedPage*>(memory::allocate(sizeof(AnnotatedPage)));
    page.annotations.store(annotations, std::memory_order_release);
  }
  auto& place = annotations->lines[(address & (kPageSize - 1)) >> kLineShift];
  if (!place.load(std::memory_order_relaxed)) place.store(memory::make<Line>(), std::memory_order_release);
  return *place.load(std::memory_order_relaxed);
}

namespace {

// What is annotated in a line has changed. REQUIRES: the block is held.
void note_words(Page& page, uptr base, const Line& line) {
  auto& words =
      page.annotations.load(std::memory_order_relaxed)->words[(base & (kPageSize - 1)) >> kBlockShift];
  const u32 shift = static_cast<u32>(base & (kBlockSize - 1)) / 4;
  auto replace = [&](std::atomic<u64>& all, u64 part) {
    all.store((all.load(std::memory_order_relaxed) & ~(u64{0xffff} << shift)) | part << shift,
              std::memory_order_relaxed);
  };
  const u64 annotated = whole_words(line.single);
  replace(words.annotated, annotated);
  replace(words.closely, touched_words(line.single | line.grouped()) & ~annotated);
  if (g_changes.fetch_add(1, std::memory_order_relaxed) == ~0u) g_changes.store(1, std::memory_order_relaxed);
}

}  // namespace

u32 new_group() {
  SpinGuard guard(g_lock);
  groups().push_back(memory::make<Group>());
  return groups().size();
}

namespace {

// One entry for all that the group has in the line: an access to two members is still one access.
void join_group(Line& line, u64 bytes, Group& group) {
  for (Member* member = line.members; member; member = member->next)
    if (member->bytes && member->group == &group) {
      member->bytes |= bytes;
      return;
    }
  for (Member* left = line.members; left; left = left->next)
    if (!left->bytes) {
      *left = {bytes, &group, left->next};
      return;
    }
  line.members = memory::make<Member>(Member{bytes, &group, line.members});
}

}  // namespace

void annotate(uptr address, usize size, u32 group) {
  Group* of = nullptr;
  if (group) {
    SpinGuard guard(g_lock);
    of = groups()[group - 1];
  }
  if (of) {
    SpinGuard guard(of->lock);
    of->members.push_back({address, size});
  }
  bool any_new = false;
  for_each_line(address, address + size, [&](uptr base, u64 bytes) {
    Page* page = rt().shadow.page(base);
    if (!page) return;
    Line& line = make_line(*page, base);
    {
      HeldBlock guard(page->block(base));
      // What is in a group, or in several, is not by itself any more: each access to it is one to the groups.
      if (of) {
        join_group(line, bytes, *of);
        const u64 moved = line.single & bytes;
        line.location.clear(moved);
        line.single &= ~moved;
        any_new |= moved != 0;  // marks of what was by itself would hide accesses to the group
      } else {
        line.single |= bytes & ~line.grouped();
      }
      note_words(*page, base, line);
    }
    const u32 bit = block_bit(base);
    any_new |= !(page->annotations.load(std::memory_order_relaxed)->blocks.fetch_or(bit) & bit);
  });
  switch_on();
  g_anything_annotated.store(true, std::memory_order_relaxed);
  g_bounds.add(address, address + size);
  if (any_new) g_version.fetch_add(1, std::memory_order_release);
}

namespace {

// What lies in these bytes of a line is no member any more, and what the group knew was about it, too.
void leave_group(Group& group, uptr begin, uptr end, u64 bytes) {
  SpinGuard guard(group.lock);
  for (u32 i = 0; i < group.members.size();) {
    const Range& range = group.members[i];
    const uptr from = range.address > begin ? range.address : begin,
               to = range.address + range.size < end ? range.address + range.size : end;
    u64 of_range = 0;
    if (from < to) of_range = ~u64{0} << (from - begin) & ~u64{0} >> (end - to);
    if (of_range & bytes)
      group.members.erase_swap(i);
    else
      ++i;
  }
  group.location.clear(~u64{0});
}

}  // namespace

void forget(Page& page, uptr begin, uptr end) {
  if (!page.annotations.load(std::memory_order_acquire)) return;
  forget_in_step(begin, end);
  for (uptr at = begin; at < end;) {
    const uptr block = at & ~(kBlockSize - 1), stop = block + kBlockSize < end ? block + kBlockSize : end;
    const auto& place =
        page.annotations.load(std::memory_order_relaxed)->pairs[(block & (kPageSize - 1)) >> kBlockShift];
    if (BlockPairs* pairs = place.load(std::memory_order_acquire)) {
      HeldBlock guard(page.block(block));
      pairs->forget(words_touched(at, stop));
    }
    at = stop;
  }
  for_each_line(begin, end, [&](uptr base, u64 bytes) {
    Line* line = find_line(page, base);
    if (!line) return;
    {
      HeldBlock guard(page.block(base));
      line->single &= ~bytes;
      line->location.clear(bytes);
    }
    for (Member* member = line->members; member; member = member->next) {
      if (!(member->bytes & bytes)) continue;
      member->bytes &= ~bytes;
      leave_group(*member->group, base, base + kLineSize, bytes);
    }
    HeldBlock guard(page.block(base));
    note_words(page, base, *line);
  });
}

void forget(uptr address, usize size) {
  for (uptr at = address; at < address + size;) {
    uptr stop = (at & ~(kPageSize - 1)) + kPageSize;
    if (stop > address + size) stop = address + size;
    if (Page* page = rt().shadow.find(at)) forget(*page, at, stop);
    at = stop;
  }
}

}  // namespace heddle::annotated
