#include "base/check.hpp"

#include "base/digits.hpp"
#include "base/system_call.hpp"
#include "base/text.hpp"

namespace heddle {

void (*on_fatal)(const char*) = nullptr;

namespace {
// System calls: write and _exit are hooks in the target, and whatever failed may hold the locks they take.
void say(const char* text) {
  constexpr int kStandardError = 2;
  system_call(SYS_write, kStandardError, text, length(text));
}

// A text of at most this size, cut off where it is longer.
class Message {
 public:
  Message& add(const char* part) {
    while (*part && size_ + 1 < sizeof text_) text_[size_++] = *part++;
    return *this;
  }
  const char* text() const { return text_; }

 private:
  char text_[512] = {};
  usize size_ = 0;
};

// As abort() does it, whatever is installed for the signal.
[[noreturn]] void abort_process() {
  constexpr int kAbort = 6;
  constexpr u64 kDefaultAction[4] = {};  // the kernel's struct sigaction
  const u64 mask = u64{1} << (kAbort - 1);
  constexpr int kUnblock = 1;
  system_call(SYS_rt_sigaction, kAbort, kDefaultAction, nullptr, sizeof mask);
  system_call(SYS_rt_sigprocmask, kUnblock, &mask, nullptr, sizeof mask);
  system_call(SYS_tgkill, system_call(SYS_getpid), system_call(SYS_gettid), kAbort);
  for (;;) system_call(SYS_exit_group, 70);
}
}  // namespace

void check_failed(const char* file, int line, const char* what) {
  Message message;
  message.add("heddle: internal error: ").add(file).add(":").add(Digits(static_cast<u64>(line)).text());
  message.add(": ").add(what).add(" does not hold\n");
  say(message.text());
  if (on_fatal) on_fatal(message.text());
  abort_process();
}

void fatal(const char* message) {
  static bool dying = false;
  if (dying) system_call(SYS_exit_group, 70);  // the last words need what there is no more of
  dying = true;
  say("heddle: ");
  say(message);
  say("\n");
  if (on_fatal) on_fatal(message);
  system_call(SYS_exit_group, 70);
  __builtin_unreachable();
}

}  // namespace heddle
