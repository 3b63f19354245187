#include "runtime/access/touch_words.hpp"

namespace heddle {

void mark_all(ThreadState& thread, uptr address) {
  BlockSet& set = block_set(thread.sets, address);
  if (!thread.sets.stamp || set.pending) return;  // of no use while nothing may match
  set.tag = tag_of(thread.sets, address);
  set.unread = set.unwritten = 0;
  set.shadow = nullptr;
  set.common = false;
}

void mark_line(ThreadState& thread, uptr address) {
  LineSet& line = line_set(thread.sets, address);
  if (!thread.sets.stamp || line.pending) return;
  line.tag = tag_of(thread.sets, address);
  line.unread = line.unwritten = 0;
  line.shadow = nullptr;
  thread.sets.lines_stamp = thread.sets.stamp;
}

}  // namespace heddle
