// The file of the raw log, and the lines that are written to it. For the files of this room.
//
// A line is built in one of two fixed places, as the last ones may have to be written when there is no memory left, or
// in a signal handler that came while the allocator was at work.
#pragma once

#include "base/spin_lock.hpp"
#include "runtime/tables/call_stacks.hpp"

namespace heddle::raw_log {

extern SpinLock g_lock;  // lines are written whole, ids are given in order

struct Buffer {
  static constexpr usize kSize = 32 * 1024;
  char text[kSize];
};
extern Buffer g_usual;  // guarded by g_lock
extern Buffer g_last;   // for warnings and for closing the log

class Line {
 public:
  Line(Buffer& buffer, const char* type);
  ~Line();
  Line& raw(const char* text);
  Line& number(u64 value);
  Line& address(uptr value);
  Line& text(const char* value);
  Line& stack(StackId id);

 private:
  void put(char c);
  void flush();

  char* text_;
  usize size_ = 0;
};

// Opens the file that the tool names, and begins the log. False: there is none.
bool open_file();
// Can lines be written? A launcher may have closed what it did not know, and the program may have reused the number
// since.
bool ready();
// -1: there is none.
int descriptor();
void close_file();

// This process is a new one, forked; what is written is its. Its first line waits until there is something to write,
// unless it is `left_out`.
void begin_process(bool left_out);
// It is, and has written nothing.
bool is_new_process();

// Writes the modules that were loaded since the list was last written. REQUIRES: g_lock, ready().
void write_modules();

}  // namespace heddle::raw_log
