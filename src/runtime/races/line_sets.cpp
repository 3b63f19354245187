#include "runtime/races/line_sets.hpp"

#include "runtime/races/common_reads.hpp"

namespace heddle {
namespace {

// Whole words of a line, from one place: they are better checked with their block.
void pend_words(ThreadState& thread, uptr line, u64 words, bool write, StackId site) {
  BlockSet* set = set_of(thread, line, write);
  if (!set) return;
  if (HEDDLE_UNLIKELY(set->repeats)) flush_block(thread, *set);  // it was annotated until now
  words = words << (line >> 2 & 63) & (write ? set->unwritten : set->unread);
  if (!words) return;
  if (!set->pending) make_dirty(thread, *set);
  pend(*set, words, write, site, [&] { return add_keys(thread).of_word; });
}

void flush_line(ThreadState& thread, LineSet& line) {
  LineSet was = line;
  line.pending = 0;
  line.read_site = line.write_site = 0;
  line.keys = nullptr;
  const uptr base = line_base(thread.sets, line);
  auto check = [&](u64 bytes, bool write, StackId site) {
    // Without a stamp nothing may be marked.
    if (const u64 words = whole_words(bytes); words && thread.sets.stamp) {
      pend_words(thread, base, words, write, site);
      bytes &= ~bytes_of(words);
    }
    while (bytes) {
      const u32 granule = static_cast<u32>(__builtin_ctzll(bytes)) >> 3;
      check_bytes(thread, *was.shadow, (base >> 3) + granule, bytes >> 8 * granule & 0xff,
                  race::kPlain | (write ? u64{race::kWrite} : u64{0}), site);
      bytes &= ~(u64{0xff} << 8 * granule);
    }
  };
  if (!was.keys) {
    if (const u64 reads = was.pending_reads()) check(reads, false, was.read_site);
    if (const u64 writes = was.pending_writes()) check(writes, true, was.write_site);
    return;
  }
  while (was.pending) {
    const AccessKey key = was.keys[__builtin_ctzll(was.pending)];
    const u64 bytes = units_with(was, key);
    check(bytes, key & 1, key >> 1);
    was.pending &= ~bytes;
  }
}

}  // namespace

bool claim_line(ThreadState& thread, LineSet& line, uptr address) {
  if (line.pending) flush_line(thread, line);
  BlockSet* set = set_of(thread, address, false);
  if (!set) return false;
  if (set->common && !set->pending) mark_common_reads(thread, *set);
  // Words that the task has touched are bytes that it has touched.
  const u32 first = static_cast<u32>(address >> 2 & 48);
  line.unread = bytes_of(set->unread >> first);
  line.unwritten = bytes_of(set->unwritten >> first);
  note_own_write(thread, address, nullptr);  // or it may be one soon
  line.shadow = set->shadow;
  thread.sets.note_use(line);
  line.tag = tag_of(thread.sets, address);
  thread.sets.lines_stamp = thread.sets.stamp;
  return true;
}

void make_dirty(ThreadState& thread, LineSet& line, uptr address) {
  AccessSets& sets = thread.sets;
  if (sets.dirty_lines_count == AccessSets::kDirtyLines) flush_lines(thread);
  if (!sets.dirty_count) make_dirty(thread, block_set(sets, address));
  sets.dirty_lines[sets.dirty_lines_count++] = static_cast<u32>(&line - sets.lines);
}

AccessKey* add_line_keys(ThreadState& thread) {
  AccessSets& sets = thread.sets;
  return sets.line_keys[sets.line_keys_count++].of_byte;
}

void flush_lines(ThreadState& thread) {
  AccessSets& sets = thread.sets;
  constexpr u32 kAhead = 8;
  for (u32 i = 0; i < sets.dirty_lines_count; ++i) {
    if (i + kAhead < sets.dirty_lines_count) prefetch(sets.lines[sets.dirty_lines[i + kAhead]].shadow);
    LineSet& line = sets.lines[sets.dirty_lines[i]];
    if (line.pending) flush_line(thread, line);
  }
  sets.dirty_lines_count = sets.line_keys_count = 0;
}

void flush_lines(ThreadState& thread, uptr begin, uptr end) {
  AccessSets& sets = thread.sets;
  for (u32 i = 0; i < sets.dirty_lines_count; ++i) {
    LineSet& line = sets.lines[sets.dirty_lines[i]];
    if (!line.pending) continue;
    if (const uptr base = line_base(sets, line); base + kLineSize > begin && base < end)
      flush_line(thread, line);
  }
}

void forget_lines(ThreadState& thread, uptr begin, uptr end) {
  AccessSets& sets = thread.sets;
  if (sets.lines_stamp != u64{thread.marks_stamp} << AccessSets::kNumberBits) return;
  if ((end - begin) >> kLineShift >= AccessSets::kLines) {
    for (u32 slot = 0; slot < AccessSets::kLines; ++slot) sets.lines[slot].tag = 0;
    return;
  }
  for (uptr at = begin & ~(kLineSize - 1); at < end; at += kLineSize) {
    LineSet& line = line_set(sets, at);
    if ((line.tag & AccessSets::kNumber) != number_of(at)) continue;
    u64 bytes = ~u64{0};
    if (begin > at) bytes &= ~u64{0} << (begin - at);
    if (end < at + kLineSize) bytes &= (u64{1} << (end - at)) - 1;
    line.unread |= bytes;
    line.unwritten |= bytes;
  }
}

}  // namespace heddle
