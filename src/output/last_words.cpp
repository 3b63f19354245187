#include "output/last_words.hpp"

#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstring>
#include <exception>
#include <new>
#include <string_view>
#include <utility>

#include "output/messages.hpp"
#include "support/files.hpp"

namespace heddle::output {
namespace {

struct Slot {
  std::atomic<bool> is_taken{false}, is_ready{false};
  bool is_named = false;
  std::array<char, 32> source{};  // the file by its descriptor
  std::array<char, 4096> name{};  // as long as paths can be
  std::array<char, 256> hint{};
};
std::array<Slot, 8> slots;

template <std::size_t kSize>
void put(std::array<char, kSize>& into, std::string_view text) {
  const std::size_t size = std::min(text.size(), kSize - 1);
  std::memcpy(into.data(), text.data(), size);
  into[size] = 0;
}

void tell(const char* text) { write_all(STDERR_FILENO, {text, std::strlen(text)}); }

// Where the file system cannot give the file itself a name.
bool copy_to_name(const Slot& slot) {
  const int from = open(slot.source.data(), O_RDONLY | O_CLOEXEC);
  const int to = open(slot.name.data(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  std::array<char, 4096> part;
  ssize_t got = -1;
  while (from >= 0 && to >= 0 && (got = read_some(from, part.data(), part.size())) > 0)
    if (write_all(to, {part.data(), static_cast<std::size_t>(got)}) != 0) return false;
  return got == 0;
}

void keep_precious_files() {
  for (Slot& slot : slots) {
    if (!slot.is_ready.exchange(false)) continue;
    if (slot.is_named ||
        linkat(AT_FDCWD, slot.source.data(), AT_FDCWD, slot.name.data(), AT_SYMLINK_FOLLOW) == 0 ||
        copy_to_name(slot)) {
      tell("heddle: ");
      tell(slot.hint.data());
      tell(slot.name.data());
      tell("\n");
    } else {
      tell("heddle: the raw log of the run cannot be kept\n");
    }
  }
}

[[noreturn]] void end(const char* why) {
  tell(why);
  keep_precious_files();
  _exit(kIncomplete);
}

void crashed(int number) {
  const char* name = sigabbrev_np(number);
  tell("heddle: SIG");
  tell(name ? name : "?");
  end(": the tool has crashed: a defect of it, or a library that is out of memory\n");
}

}  // namespace

void end_out_of_memory() { end("heddle: out of memory\n"); }

void install_last_words() {
  std::set_terminate([] {
    // An exception where none may pass; the only one that is not foreseen everywhere.
    end_out_of_memory();
  });
  // A stack of its own: the other one may be what is used up.
  static std::array<char, 1 << 16> room;
  const stack_t stack{room.data(), 0, room.size()};
  sigaltstack(&stack, nullptr);
  for (const int number : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT}) {
    struct sigaction action {};
    action.sa_handler = crashed;
    action.sa_flags = static_cast<int>(SA_ONSTACK | SA_RESETHAND);
    sigaction(number, &action, nullptr);
  }
}

PreciousFile::PreciousFile(int descriptor, const std::string& name, bool is_named, const std::string& hint) {
  for (std::size_t i = 0; i < slots.size() && slot_ < 0; ++i)
    if (!slots[i].is_taken.exchange(true)) slot_ = static_cast<int>(i);
  if (slot_ < 0) return;
  Slot& slot = slots[static_cast<std::size_t>(slot_)];
  slot.is_named = is_named;
  put(slot.source, "/proc/self/fd/" + std::to_string(descriptor));
  put(slot.name, name);
  put(slot.hint, hint);
  slot.is_ready = true;
}

PreciousFile::PreciousFile(PreciousFile&& other) noexcept : slot_(std::exchange(other.slot_, -1)) {}

PreciousFile& PreciousFile::operator=(PreciousFile&& other) noexcept {
  std::swap(slot_, other.slot_);
  return *this;
}

PreciousFile::~PreciousFile() {
  if (slot_ < 0) return;
  slots[static_cast<std::size_t>(slot_)].is_ready = false;
  slots[static_cast<std::size_t>(slot_)].is_taken = false;
}

}  // namespace heddle::output
