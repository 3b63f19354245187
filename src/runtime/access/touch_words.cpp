#include "runtime/access/touch_words.hpp"

namespace heddle {

void spell_out(ThreadState& thread, BlockSet& set) {
  set.keys = add_keys(thread).of_word;
  for (u64 left = set.pending_reads(); left; left &= left - 1)
    set.keys[__builtin_ctzll(left)] = set.read_site << 1;
  for (u64 left = set.pending_writes(); left; left &= left - 1)
    set.keys[__builtin_ctzll(left)] = set.write_site << 1 | 1;
  set.read_site = set.write_site = 0;
}

void mark_all(ThreadState& thread, uptr address) {
  BlockSet& set = block_set(thread.sets, address);
  if (!thread.sets.stamp || set.pending) return;  // of no use while nothing may match
  set.tag = tag_of(thread.sets, address);
  set.unread = set.unwritten = 0;
  set.shadow = nullptr;
  set.common = false;
}

}  // namespace heddle
