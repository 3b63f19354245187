#include "runtime/access/touch_words.hpp"

namespace heddle {

void mark_all(ThreadState& thread, uptr address) {
  BlockSet& set = block_set(thread.sets, address);
  if (!thread.sets.stamp || set.pending) return;  // of no use while nothing may match
  thread.sets.note_use(set);
  // Nobody writes to constants while there are marks for reads only.
  set.tag = number_of(address) | thread.sets.read_stamp;
  set.unread = 0;
  set.unwritten = thread.sets.read_stamp == thread.sets.stamp ? 0 : ~u64{0};
  set.shadow = nullptr;
  set.common = false;
}

void mark_line(ThreadState& thread, uptr address) {
  LineSet& line = line_set(thread.sets, address);
  if (!thread.sets.stamp || line.pending) return;
  thread.sets.note_use(line);
  line.tag = tag_of(thread.sets, address);
  line.unread = line.unwritten = 0;
  line.shadow = nullptr;
  thread.sets.lines_stamp = thread.sets.stamp;
}

}  // namespace heddle
