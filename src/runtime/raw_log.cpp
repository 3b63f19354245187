#include "runtime/raw_log.hpp"

#include <link.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "runtime/runtime.hpp"

namespace heddle::raw_log {
namespace {

using race::Access;
using race::Evidence;

int g_descriptor = -1;
bool g_closed = false;
SpinLock g_lock;  // lines are written whole, ids are given in order

// A line is built in memory of our own and written at once.
class Line {
 public:
  ~Line() {
    raw("\n");
    for (usize done = 0; done < text_.size();) {
      ssize_t n = syscall(SYS_write, g_descriptor, text_.begin() + done, text_.size() - done);
      if (n <= 0) return;
      done += static_cast<usize>(n);
    }
  }
  Line& raw(const char* text) {
    for (; *text; ++text) text_.push_back(*text);
    return *this;
  }
  Line& number(u64 value) {
    char digits[24];
    snprintf(digits, sizeof digits, "%llu", static_cast<unsigned long long>(value));
    return raw(digits);
  }
  Line& address(uptr value) {
    char digits[24];
    snprintf(digits, sizeof digits, "\"0x%llx\"", static_cast<unsigned long long>(value));
    return raw(digits);
  }
  Line& text(const char* value) {
    text_.push_back('"');
    for (; *value; ++value) {
      if (*value == '"' || *value == '\\') text_.push_back('\\');
      if (static_cast<unsigned char>(*value) >= ' ') text_.push_back(*value);
    }
    text_.push_back('"');
    return *this;
  }
  Line& stack(StackId id) {
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

 private:
  Vector<char> text_;
};

// --- modules ---------------------------------------------------------------------------------------------------------

unsigned long long g_modules_seen = 0;  // dl_phdr_info::dlpi_adds when the list was last written

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
        char path[4096] = "";
        if (info->dlpi_name && *info->dlpi_name) {
          strncpy(path, info->dlpi_name, sizeof path - 1);
        } else {
          ssize_t n = readlink("/proc/self/exe", path, sizeof path - 1);
          path[n > 0 ? n : 0] = 0;
        }
        Line().raw("{\"type\":\"module\",\"path\":").text(path).raw(",\"base\":").address(info->dlpi_addr)
            .raw(",\"begin\":").address(begin).raw(",\"end\":").address(end).raw("}");
        return 0;
      },
      &seen);
}

// --- tasks -----------------------------------------------------------------------------------------------------------

HashMap<u8>& written_tasks() {
  static HashMap<u8>* tasks = memory::make<HashMap<u8>>();
  return *tasks;
}

void write_task(const order::Task* task) {
  if (!task || written_tasks().find(task->id)) return;
  write_task(task->parent);
  written_tasks()[task->id] = 1;
  Line().raw("{\"type\":\"task\",\"id\":").number(task->id).raw(",\"kind\":").text(name(static_cast<TaskKind>(task->kind)))
      .raw(",\"parent\":").number(task->parent ? task->parent->id : 0)
      .raw(",\"thread\":").number(task->thread.load(std::memory_order_relaxed))
      .raw(",\"created\":").stack(task->created_at).raw("}");
}

// --- races -----------------------------------------------------------------------------------------------------------

struct Known {
  u32 id;
  u64 hits;
};
HashMap<Known>& known_races() {
  static HashMap<Known>* races = memory::make<HashMap<Known>>();
  return *races;
}
u32 g_races = 0;

u64 pair_key(const Access& a, const Access& b, Evidence evidence) {
  u64 x = rt().stacks.pc(a.site()) << 1 | a.write(), y = rt().stacks.pc(b.site()) << 1 | b.write();
  if (x > y) std::swap(x, y);
  return (mix(x) * 3 + mix(y) * 5 + (evidence == Evidence::kCertain)) >> 1;
}

// The whole of an access that was judged granule by granule cannot be known: its part in this granule is.
void write_access(Line& line, const char* role, const Access& access, uptr granule) {
  u8 bytes = access.bytes();
  uptr from = granule + static_cast<uptr>(__builtin_ctz(bytes));
  line.raw(",\"").raw(role).raw("\":{\"op\":").text(access.free() ? "free" : access.write() ? "write" : "read")
      .raw(",\"atomic\":").raw(access.atomic() ? "true" : "false")
      .raw(",\"address\":").address(from).raw(",\"size\":").number(static_cast<u64>(__builtin_popcount(bytes)))
      .raw(",\"stack\":").stack(access.site()).raw(",\"task\":").number(access.task())
      .raw(",\"thread\":").number(rt().order.find(access.task())->thread.load(std::memory_order_relaxed))
      .raw(",\"locks\":[");
  const Lockset& locks = rt().locksets.get(access.lockset());
  for (u32 i = 0; i < locks.count; ++i) {
    Sync* sync = rt().syncs.lock_by_id(locks.at[i] >> 1);
    if (i) line.raw(",");
    line.raw("{\"id\":").number(locks.at[i] >> 1).raw(",\"kind\":").text(sync ? name(sync->kind) : "lock")
        .raw(",\"address\":").address(sync ? sync->address : 0)
        .raw(",\"mode\":").text(locks.at[i] & 1 ? "write" : "read").raw("}");
  }
  line.raw("]}");
}

bool in_module_data(uptr address) {
  return dl_iterate_phdr(
      [](dl_phdr_info* info, size_t, void* data) {
        uptr at = *static_cast<uptr*>(data);
        for (int i = 0; i < info->dlpi_phnum; ++i) {
          const auto& header = info->dlpi_phdr[i];
          uptr begin = info->dlpi_addr + header.p_vaddr;
          if (header.p_type == PT_LOAD && at >= begin && at < begin + header.p_memsz) return 1;
        }
        return 0;
      },
      &address) != 0;
}

// The innermost frame of the thread whose machine stack this is that lies above the address owns it.
void write_stack_location(Line& line, const ThreadState& thread, uptr address) {
  line.raw("{\"kind\":\"stack\",\"thread\":").number(thread.number);
  for (Frame* frame = thread.top; frame-- > thread.frames;) {
    if (frame->frame_address <= address) continue;
    // The frame above the address belongs to a caller; the callee's locals lie between the two frames.
    break;
  }
  line.raw("}");
}

void write_location(Line& line, ThreadState& thread, uptr address) {
  line.raw(",\"location\":");
  HeapBlock block = rt().heap.around(address);
  if (block.size) {
    line.raw("{\"kind\":\"heap\",\"base\":").address(block.base).raw(",\"size\":").number(block.size)
        .raw(",\"offset\":").number(address - block.base).raw(",\"stack\":").stack(block.stack)
        .raw(",\"task\":").number(block.task).raw(",\"freed\":").raw(block.freed ? "true" : "false").raw("}");
  } else if (address >= thread.stack_low && address < thread.stack_high) {
    write_stack_location(line, thread, address);
  } else if (in_module_data(address)) {
    line.raw("{\"kind\":\"global\"}");
  } else {
    line.raw("{\"kind\":\"unknown\"}");
  }
}

}  // namespace

void open() {
  const char* descriptor = getenv("HEDDLE_LOG_FD");
  if (!descriptor) return;
  g_descriptor = atoi(descriptor);
  char exe[4096];
  ssize_t n = readlink("/proc/self/exe", exe, sizeof exe - 1);
  exe[n > 0 ? n : 0] = 0;
  Line().raw("{\"type\":\"start\",\"version\":1,\"pid\":").number(static_cast<u64>(getpid())).raw(",\"exe\":").text(exe).raw("}");
  write_modules();
}

int descriptor() { return g_descriptor; }

void race(ThreadState& thread, uptr address, const Access& earlier, const Access& now, Evidence evidence) {
  ++thread.reports;
  SpinGuard guard(g_lock);
  Known& known = known_races()[pair_key(earlier, now, evidence)];
  if (known.hits++) return;
  known.id = ++g_races;
  u32 id = known.id;
  if (g_descriptor < 0) return;
  write_modules();
  write_task(rt().order.find(earlier.task()));
  write_task(rt().order.find(now.task()));
  uptr granule = address & ~uptr{7};
  u8 common = earlier.bytes() & now.bytes();
  uptr at = granule + static_cast<uptr>(__builtin_ctz(common));
  HeapBlock block = rt().heap.around(at);
  if (block.size && block.task) write_task(rt().order.find(block.task));
  Line line;
  line.raw("{\"type\":\"race\",\"id\":").number(id)
      .raw(",\"evidence\":").text(evidence == Evidence::kCertain ? "certain" : "predicted")
      .raw(",\"address\":").address(at).raw(",\"size\":").number(static_cast<u64>(__builtin_popcount(common)));
  write_access(line, "first", earlier, granule);
  write_access(line, "second", now, granule);
  write_location(line, thread, at);
  line.raw("}");
}

void warning(const char* text) {
  if (g_descriptor < 0) return;
  Line().raw("{\"type\":\"warning\",\"text\":").text(text).raw("}");
}

void close(const char* reason) {
  if (g_closed) return;
  g_closed = true;
  if (!g_runtime || !g_runtime->enabled) return;
  if (g_descriptor < 0) {
    if (g_races) {
      fprintf(stderr, "heddle: %u pairs of racing accesses found; start the program with `heddle run` to see them\n", g_races);
    }
    return;
  }
  ThreadState* thread = self();
  bool was_active = thread && thread->active;
  if (thread) thread->active = false;
  if (g_lock.try_lock()) {  // a crash may have come while it was held
    known_races().for_each([](u64, Known& known) {
      if (known.hits > 1) Line().raw("{\"type\":\"hits\",\"id\":").number(known.id).raw(",\"count\":").number(known.hits).raw("}");
    });
    g_lock.unlock();
  }
  Line().raw("{\"type\":\"stats\",\"tasks\":").number(rt().order.task_count())
      .raw(",\"threads\":").number(rt().threads.load())
      .raw(",\"call stacks\":").number(rt().stacks.count())
      .raw(",\"locksets\":").number(rt().locksets.count())
      .raw(",\"analysis memory KiB\":").number(memory::mapped_bytes() / 1024).raw("}");
  if (rt().locksets.overflowed())
    warning("more than a million different sets of held locks: some accesses count as unprotected");
  Line().raw("{\"type\":\"end\",\"reason\":").text(reason).raw("}");
  if (thread) thread->active = was_active;
}

}  // namespace heddle::raw_log
