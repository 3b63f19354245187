#include "runtime/log/line.hpp"

#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/digits.hpp"
#include "base/system_call.hpp"
#include "base/text.hpp"
#include "runtime/state/process.hpp"

namespace heddle::raw_log {

SpinLock g_lock;
Buffer g_usual;
Buffer g_last;

namespace {

int g_descriptor = -1;
char g_path[64] = "";  // the file by another name, for when the descriptor is gone; may be empty
struct Identity {
  dev_t device;
  ino_t number;
  bool operator==(const Identity&) const = default;
} g_identity;
u64 g_process = 0;

bool identify(int descriptor, Identity& identity) {
  struct stat status;
  if (system_call(SYS_fstat, descriptor, &status) != 0) return false;
  identity = {status.st_dev, status.st_ino};
  return true;
}
constexpr usize kLongestPath = 4096;
void read_link(const char* link, char (&path)[kLongestPath]) {
  const long size = system_call(SYS_readlink, link, path, sizeof path - 1);
  path[size > 0 ? size : 0] = 0;
}
bool is_ours(int descriptor) {
  Identity identity;
  return descriptor >= 0 && identify(descriptor, identity) && identity == g_identity;
}

// Far from the numbers that programs expect to get.
int open_by_path() {
  constexpr int kLowestDescriptor = 200;
  if (!g_path[0]) return -1;
  int near = static_cast<int>(system_call(SYS_openat, AT_FDCWD, g_path, O_WRONLY | O_APPEND));
  if (near < 0) return -1;
  int far = static_cast<int>(system_call(SYS_fcntl, near, F_DUPFD, kLowestDescriptor));
  if (far < 0) return near;
  system_call(SYS_close, near);
  return far;
}

bool g_options_missing = false;  // the options of the tool did not arrive
bool g_is_new_child = false;     // forked, and nothing is written yet

void write_start() {
  char exe[kLongestPath];
  read_link("/proc/self/exe", exe);
  Line line(g_last, "start");
  line.raw(",\"version\":1,\"exe\":").text(exe);
  if (g_options_missing) line.raw(",\"options\":false");
  const Options& options = rt().options;
  line.raw(",\"checks\":[");
  const char* separator = "";
  auto add = [&](bool checked, const char* what) {
    if (!checked || !options.races) return;
    line.raw(separator).text(what);
    separator = ",";
  };
  add(options.check_races, "race");
  add(options.check_atomicity, "atomicity");
  add(options.check_deadlock, "deadlock");
  line.raw("]");
}

unsigned long long g_modules_seen = 0;  // dl_phdr_info::dlpi_adds when the list was last written

// A launcher may have removed the environment (`env -i`), but open files stay open. The log is one that is appended to,
// and begins with the tool's own line. Programs that are not started by the tool find none.
int find_inherited() {
  constexpr int kFirst = 200, kLast = 255;     // where the tool puts it (src/launch/log_file.cpp)
  constexpr char kBegin[] = "{\"command\":[";  // to_json_line in src/report/raw_log.cpp
  char begin[sizeof kBegin] = {};
  for (int descriptor = kFirst; descriptor <= kLast; ++descriptor) {
    const long flags = system_call(SYS_fcntl, descriptor, F_GETFL);
    if (!is_error(flags) && (flags & O_APPEND) &&
        system_call(SYS_pread64, descriptor, begin, sizeof kBegin - 1, 0) == sizeof kBegin - 1 &&
        starts_with(begin, kBegin))
      return descriptor;
  }
  return -1;
}

}  // namespace

bool ready() {
  if (g_descriptor < 0) return false;
  if (!is_ours(g_descriptor)) {
    int again = open_by_path();
    if (again < 0) return false;
    g_descriptor = again;
  }
  if (std::exchange(g_is_new_child, false)) write_start();
  return true;
}

int descriptor() { return g_descriptor; }
void close_file() { g_descriptor = -1; }

void begin_process(bool left_out) {
  g_process = static_cast<u64>(system_call(SYS_getpid));
  if (left_out) return;
  g_modules_seen = 0;
  g_is_new_child = true;
}
bool is_new_process() { return g_is_new_child; }

bool open_file() {
  g_process = static_cast<u64>(system_call(SYS_getpid));
  const char* descriptor = environment("HEDDLE_LOG_FD");
  const int given = descriptor ? static_cast<int>(read_number(descriptor)) : find_inherited();
  if (given < 0) return false;
  g_options_missing = !descriptor;
  if (const char* path = environment("HEDDLE_LOG_PATH"); path && length(path) < sizeof g_path)
    __builtin_memcpy(g_path, path, length(path) + 1);
  struct stat status;
  if (g_path[0] && system_call(SYS_stat, g_path, &status) == 0) {
    g_identity = {status.st_dev, status.st_ino};
    g_descriptor = is_ours(given) ? given : open_by_path();
  } else {
    // The tool is not to be seen from here (another pid namespace), or is an older one. It appends; few others do.
    g_path[0] = 0;
    long flags = system_call(SYS_fcntl, given, F_GETFL);
    if (flags >= 0 && (flags & O_APPEND) && identify(given, g_identity)) g_descriptor = given;
  }
  if (!ready()) return false;
  SpinGuard guard(g_lock);
  write_start();
  write_modules();
  return true;
}

void write_modules() {
  unsigned long long seen = g_modules_seen;
  dl_iterate_phdr(
      [](dl_phdr_info* info, size_t, void* data) {
        auto* known = static_cast<unsigned long long*>(data);
        if (info->dlpi_adds == *known) return 1;
        g_modules_seen = info->dlpi_adds;
        uptr begin = ~uptr{0}, end = 0;
        for (int i = 0; i < info->dlpi_phnum; ++i) {
          if (info->dlpi_phdr[i].p_type != PT_LOAD) continue;
          uptr low = info->dlpi_addr + info->dlpi_phdr[i].p_vaddr, high = low + info->dlpi_phdr[i].p_memsz;
          if (low < begin) begin = low;
          if (high > end) end = high;
        }
        char path[kLongestPath] = "";
        if (info->dlpi_name && *info->dlpi_name) {
          for (usize i = 0; info->dlpi_name[i] && i < sizeof path - 1; ++i) path[i] = info->dlpi_name[i];
        } else {
          read_link("/proc/self/exe", path);
        }
        Line(g_usual, "module")
            .raw(",\"path\":")
            .text(path)
            .raw(",\"base\":")
            .address(info->dlpi_addr)
            .raw(",\"begin\":")
            .address(begin)
            .raw(",\"end\":")
            .address(end);
        return 0;
      },
      &seen);
}

namespace {

bool g_is_broken = false;  // the log ends within a line

// Nobody would hear of what is found from here on, and a run without findings must not look like one in which
// nothing was found: the exit code says so.
// Not by fatal(), which closes the log in an orderly way: that takes locks, and this may hold them.
void log_is_lost(long error) {
  static bool is_dying = false;
  if (is_dying) return;  // the last words cannot be written either
  is_dying = true;
  const char* text = error == -ENOSPC   ? "the raw log cannot be written: No space left on device"
                     : error == -EDQUOT ? "the raw log cannot be written: Disk quota exceeded"
                     : error == -EFBIG  ? "the raw log cannot be written: File too large"
                     : error == -EIO    ? "the raw log cannot be written: Input/output error"
                                        : "the raw log cannot be written";
  for (const char* part : {"heddle: ", text, "\n"}) system_call(SYS_write, STDERR_FILENO, part, length(part));
  Line(g_last, "warning").raw(",\"text\":").text(text);
  Line(g_last, "end").raw(",\"reason\":").text("internal");
  constexpr int kGivenUp = 70;  // as fatal()
  system_call(SYS_exit_group, kGivenUp);
}

}  // namespace

Line::Line(Buffer& buffer, const char* type) : text_(buffer.text) {
  raw("{\"type\":\"").raw(type).raw("\",\"pid\":").number(g_process);
}

Line::~Line() {
  raw("}\n");
  flush();
}

Line& Line::raw(const char* text) {
  for (; *text; ++text) put(*text);
  return *this;
}

Line& Line::number(u64 value) { return raw(Digits(value).text()); }

Line& Line::address(uptr value) {
  char digits[24];
  char* at = digits + sizeof digits;
  for (*--at = 0; value >= 16; value /= 16) *--at = "0123456789abcdef"[value % 16];
  *--at = "0123456789abcdef"[value];
  return raw("\"0x").raw(at).raw("\"");
}

Line& Line::text(const char* value) {
  put('"');
  for (; *value; ++value) {
    if (*value == '"' || *value == '\\') put('\\');
    if (static_cast<unsigned char>(*value) >= ' ') put(*value);
  }
  put('"');
  return *this;
}

Line& Line::stack(StackId id) {
  constexpr u32 kDeepest = 256;
  uptr pcs[kDeepest];
  u32 count = rt().stacks.unwind(id, pcs, kDeepest);
  raw("[");
  for (u32 i = 0; i < count; ++i) {
    if (i) raw(",");
    address(pcs[i]);
  }
  return raw("]");
}

void Line::put(char c) {
  if (size_ == Buffer::kSize) flush();  // hundreds of locks held: the line takes two writes
  text_[size_++] = c;
}

void Line::flush() {
  const usize size = size_;
  size_ = 0;
  if (g_is_broken && system_call(SYS_write, g_descriptor, "\n", 1) == 1) g_is_broken = false;
  for (usize done = 0; done < size;) {
    const long n = system_call(SYS_write, g_descriptor, text_ + done, size - done);
    if (n == -EINTR) continue;
    if (n <= 0) {
      g_is_broken = g_is_broken || done > 0;
      return log_is_lost(n);
    }
    done += static_cast<usize>(n);
  }
}

}  // namespace heddle::raw_log
