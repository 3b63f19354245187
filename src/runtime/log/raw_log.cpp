#include "runtime/log/raw_log.hpp"

#include <fcntl.h>
#include <link.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/digits.hpp"
#include "base/system_call.hpp"
#include "base/text.hpp"
#include "runtime/annotated/watched.hpp"
#include "runtime/locks/deadlocks.hpp"
#include "runtime/locks/standing.hpp"
#include "runtime/runtime.hpp"
#include "runtime/state/abstract_names.hpp"
#include "runtime/state/thread_list.hpp"

namespace heddle::raw_log {
namespace {

using race::Access;
using race::Evidence;

std::atomic<bool> g_closed{false};
SpinLock g_lock;  // lines are written whole, ids are given in order

// --- the file --------------------------------------------------------------------------------------------------------

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

bool g_is_told_nothing = false;  // the options of the tool did not arrive
bool g_is_new_child = false;     // forked, and nothing is written yet
void write_start();

// A launcher may have closed what it did not know, and the program may have reused the number since.
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

// A line is built in one of two fixed places, as the last ones may have to be written when there is no memory left, or in a signal
// handler that came while the allocator was at work.
struct Buffer {
  static constexpr usize kSize = 32 * 1024;
  char text[kSize];
};
Buffer g_usual;  // guarded by g_lock
Buffer g_last;   // for warnings and for whoever closes the log

class Line {
 public:
  Line(Buffer& buffer, const char* type) : text_(buffer.text) {
    raw("{\"type\":\"").raw(type).raw("\",\"pid\":").number(g_process);
  }
  ~Line() {
    raw("}\n");
    flush();
  }
  Line& raw(const char* text) {
    for (; *text; ++text) put(*text);
    return *this;
  }
  Line& number(u64 value) { return raw(Digits(value).text()); }
  Line& address(uptr value) {
    char digits[24];
    char* at = digits + sizeof digits;
    for (*--at = 0; value >= 16; value /= 16) *--at = "0123456789abcdef"[value % 16];
    *--at = "0123456789abcdef"[value];
    return raw("\"0x").raw(at).raw("\"");
  }
  Line& text(const char* value) {
    put('"');
    for (; *value; ++value) {
      if (*value == '"' || *value == '\\') put('\\');
      if (static_cast<unsigned char>(*value) >= ' ') put(*value);
    }
    put('"');
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
  void put(char c) {
    if (size_ == Buffer::kSize) flush();  // hundreds of locks held: the line takes two writes
    text_[size_++] = c;
  }
  void flush() {
    for (usize done = 0; done < size_;) {
      ssize_t n = system_call(SYS_write, g_descriptor, text_ + done, size_ - done);
      if (n <= 0) break;
      done += static_cast<usize>(n);
    }
    size_ = 0;
  }

  char* text_;
  usize size_ = 0;
};

void write_start() {
  char exe[kLongestPath];
  read_link("/proc/self/exe", exe);
  Line line(g_last, "start");
  line.raw(",\"version\":1,\"exe\":").text(exe);
  if (g_is_told_nothing) line.raw(",\"options\":false");
}

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

// --- tasks -----------------------------------------------------------------------------------------------------------

HashMap<u8>& written_tasks() {
  static HashMap<u8>* tasks = memory::make<HashMap<u8>>();
  return *tasks;
}

// With its ancestors: whoever is written has its ancestors written.
void write_task(const order::Task* task) {
  for (; task && !written_tasks().find(task->id); task = task->parent) {
    written_tasks()[task->id] = 1;
    Line line(g_usual, "task");
    if (rt().creations) line.raw(",\"count\":").number(rt().creations->of(*task));
    line.raw(",\"id\":")
        .number(task->id)
        .raw(",\"kind\":")
        .text(name(static_cast<TaskKind>(task->kind)))
        .raw(",\"parent\":")
        .number(task->parent ? task->parent->id : 0)
        .raw(",\"thread\":")
        .number(task->thread.load(std::memory_order_relaxed))
        .raw(",\"created\":")
        .stack(task->created_at);
  }
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
HashMap<Known>& known_violations() {
  static HashMap<Known>* violations = memory::make<HashMap<Known>>();
  return *violations;
}
HashMap<Known>& known_deadlocks() {
  static HashMap<Known>* deadlocks = memory::make<HashMap<Known>>();
  return *deadlocks;
}
u32 g_races = 0;
u32 g_certain_races = 0;
u32 g_findings = 0;  // races, violations and deadlocks: they are numbered together

u64 pair_key(const Access& a, const Access& b, Evidence evidence) {
  u64 x = rt().stacks.pc(a.site()) << 1 | a.write(), y = rt().stacks.pc(b.site()) << 1 | b.write();
  if (x > y) std::swap(x, y);
  return (mix(x) * 3 + mix(y) * 5 + (evidence == Evidence::kCertain)) >> 1;
}

// Without the closing brace: more may follow.
void write_lock(Line& line, u32 id, bool write) {
  Sync* sync = rt().syncs.lock_by_id(id);
  line.raw("{\"id\":")
      .number(id)
      .raw(",\"kind\":")
      .text(sync ? name(sync->kind) : "lock")
      .raw(",\"address\":")
      .address(sync ? sync->address : 0)
      .raw(",\"mode\":")
      .text(write ? "write" : "read");
}

// The whole of an access that was judged granule by granule cannot be known: its part in this granule is.
void write_access(Line& line, const char* role, const Access& access, uptr granule) {
  u8 bytes = access.bytes();
  uptr from = granule + static_cast<uptr>(__builtin_ctz(bytes));
  line.raw(",\"")
      .raw(role)
      .raw("\":{\"op\":")
      .text(access.free()    ? "free"
            : access.write() ? "write"
                             : "read")
      .raw(",\"atomic\":")
      .raw(access.atomic() ? "true" : "false")
      .raw(",\"address\":")
      .address(from)
      .raw(",\"size\":")
      .number(count_bits(bytes))
      .raw(",\"stack\":")
      .stack(access.site())
      .raw(",\"task\":")
      .number(access.task())
      .raw(",\"thread\":")
      .number(rt().order.find(access.task())->thread.load(std::memory_order_relaxed))
      .raw(",\"locks\":[");
  const Lockset& locks = rt().locksets.get(access.lockset());
  bool first = true;
  for (u32 i = 0; i < locks.count; ++i) {
    const Sync* sync = rt().syncs.lock_by_id(locks.at[i] >> 1);
    if (sync && sync->kind == LockKind::kOneThread) continue;
    if (!std::exchange(first, false)) line.raw(",");
    write_lock(line, locks.at[i] >> 1, locks.at[i] & 1);
    line.raw("}");
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

void write_location(Line& line, uptr address, const HeapBlock& block) {
  line.raw(",\"location\":");
  thread_list::Owner owner = thread_list::find(address);
  if (owner.thread) {
    line.raw("{\"kind\":").text(owner.in_tls ? "tls" : "stack").raw(",\"thread\":").number(owner.thread);
    if (owner.frame_pointer)
      line.raw(",\"frame\":").address(owner.pc).raw(",\"cfa_hint\":").address(owner.frame_pointer);
    line.raw("}");
  } else if (block.size) {
    line.raw("{\"kind\":\"heap\",\"base\":")
        .address(block.base)
        .raw(",\"size\":")
        .number(block.size)
        .raw(",\"offset\":")
        .number(address - block.base)
        .raw(",\"stack\":")
        .stack(block.stack)
        .raw(",\"task\":")
        .number(block.task)
        .raw(",\"freed\":")
        .raw(block.freed ? "true" : "false");
    if (rt().creations) line.raw(",\"count\":").number(block.count);
    line.raw("}");
  } else if (in_module_data(address)) {
    line.raw("{\"kind\":\"global\"}");
  } else {
    line.raw("{\"kind\":\"unknown\"}");
  }
}

// A launcher may have removed the environment (`env -i`), but open files stay open. The log is one that is appended to, and begins with
// the tool's own line. Programs that are not started by the tool ask in vain.
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

void open() {
  g_process = static_cast<u64>(system_call(SYS_getpid));
  const char* descriptor = environment("HEDDLE_LOG_FD");
  const int given = descriptor ? static_cast<int>(read_number(descriptor)) : find_inherited();
  if (given < 0) return;
  g_is_told_nothing = !descriptor;
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
  if (!ready()) return;
  SpinGuard guard(g_lock);
  write_start();
  write_modules();
}

int descriptor() { return g_descriptor; }

void mute() {
  g_closed.store(true);
  g_descriptor = -1;
}

void note_modules() {
  SpinGuard guard(g_lock);
  if (ready()) write_modules();
}

ThreadState::Reported& race(ThreadState& thread, uptr address, u32 granules, const Access& earlier,
                            const Access& now, Evidence evidence, const char* unless) {
  const u64 sites = u64{earlier.site()} << 32 | u64{now.site()} << 3 | u64{earlier.write()} << 2 |
                    u64{now.write()} << 1 | (evidence == Evidence::kCertain);
  auto& reported = thread.reported[mix(sites) % ThreadState::kReported];
  if (reported.sites == sites) {
    reported.hits += granules;
    return reported;
  }
  const u64 pair = pair_key(earlier, now, evidence);
  SpinGuard guard(g_lock);
  if (reported.hits) known_races()[reported.pair].hits += reported.hits;
  reported = {sites, pair, 0};
  Known& known = known_races()[pair];
  known.hits += granules;
  if (known.id) return reported;
  ++g_races;
  if (evidence == Evidence::kCertain) ++g_certain_races;
  known.id = ++g_findings;
  u32 id = known.id;
  if (!ready()) return reported;
  write_modules();
  write_task(rt().order.find(earlier.task()));
  write_task(rt().order.find(now.task()));
  uptr granule = address & ~uptr{7};
  u8 common = earlier.bytes() & now.bytes();
  uptr at = granule + static_cast<uptr>(__builtin_ctz(common));
  HeapBlock block = rt().heap.around(at);
  if (block.size && block.task) write_task(rt().order.find(block.task));
  Line line(g_usual, "race");
  line.raw(",\"id\":")
      .number(id)
      .raw(",\"evidence\":")
      .text(evidence == Evidence::kCertain ? "certain" : "predicted")
      .raw(",\"address\":")
      .address(at)
      .raw(",\"size\":")
      .number(count_bits(common));
  if (unless) line.raw(",\"unless\":").text(unless);
  write_access(line, "first", earlier, granule);
  write_access(line, "second", now, granule);
  write_location(line, at, block);
  return reported;
}

void violation(const Violation& found) {
  auto key_of = [](const Access& access) { return rt().stacks.pc(access.site()) << 1 | access.write(); };
  const u64 key = (mix(mix(mix(key_of(found.first)) + key_of(found.intruder)) + key_of(found.last)) * 2 +
                   (found.evidence == Evidence::kCertain)) >>
                  1;
  SpinGuard guard(g_lock);
  Known& known = known_violations()[key];
  ++known.hits;
  if (known.id) return;
  known.id = ++g_findings;
  const u32 id = known.id;
  if (!ready()) return;
  write_modules();
  write_task(rt().order.find(found.first.task()));
  write_task(rt().order.find(found.intruder.task()));
  const u8 bytes = found.first.bytes();
  const uptr at = found.granule + static_cast<uptr>(__builtin_ctz(bytes));
  const HeapBlock block = rt().heap.around(at);
  if (block.size && block.task) write_task(rt().order.find(block.task));
  Line line(g_usual, "violation");
  line.raw(",\"id\":")
      .number(id)
      .raw(",\"evidence\":")
      .text(found.evidence == Evidence::kCertain ? "certain" : "predicted")
      .raw(",\"address\":")
      .address(at)
      .raw(",\"size\":")
      .number(count_bits(bytes));
  write_access(line, "first", found.first, found.granule);
  write_access(line, "intruder", found.intruder, found.granule);
  write_access(line, "last", found.last, found.granule);
  line.raw(",\"group\":[");
  for (u32 i = 0; i < found.group_size; ++i) line.raw(i ? "," : "").address(found.group[i]);
  line.raw("]");
  write_location(line, at, block);
}

namespace {

u64 key_of(const deadlock::Acquisition& acquisition) {
  return mix(rt().stacks.pc(acquisition.site) << 1 | acquisition.write);
}
// The same cycle may begin with any of its edges.
u64 key_of(const deadlock::Edge* edges, u32 count, bool happened) {
  u64 key = u64{happened} << 1;
  for (u32 i = 0; i < count; ++i) {
    u64 edge = key_of(edges[i].situation->wants);
    for (u32 held = 0; held < edges[i].situation->count; ++held)
      edge += 3 * key_of(edges[i].situation->held[held]);
    key += mix(edge);
  }
  return key >> 1;
}

order::Task* task_of(const deadlock::Edge& edge) {
  return rt().order.find(static_cast<order::TaskId>(edge.strand >> 32));
}

void write_acquisition(Line& line, const deadlock::Acquisition& acquisition) {
  write_lock(line, acquisition.lock, acquisition.write);
  if (const Sync* sync = rt().syncs.lock_by_id(acquisition.lock)) {
    write_location(line, sync->address, rt().heap.around(sync->address));
    line.raw(",\"name\":").address(abstract_names::of_lock(sync->address));
  }
  line.raw(",\"stack\":").stack(acquisition.site).raw("}");
}

}  // namespace

void deadlock(const deadlock::Edge* edges, u32 count, bool happened) {
  SpinGuard guard(g_lock);
  Known& known = known_deadlocks()[key_of(edges, count, happened)];
  ++known.hits;
  if (known.id) return;
  known.id = ++g_findings;
  const u32 id = known.id;
  if (!ready()) return;
  write_modules();
  for (u32 i = 0; i < count; ++i) write_task(task_of(edges[i]));
  Line line(g_usual, "deadlock");
  line.raw(",\"id\":").number(id).raw(",\"evidence\":").text(happened ? "certain" : "predicted");
  line.raw(",\"edges\":[");
  for (u32 i = 0; i < count; ++i) {
    const deadlock::Situation& situation = *edges[i].situation;
    const order::Task* task = task_of(edges[i]);
    line.raw(i ? ",{\"task\":" : "{\"task\":")
        .number(task->id)
        .raw(",\"thread\":")
        .number(task->thread.load(std::memory_order_relaxed))
        .raw(",\"name\":")
        .address(abstract_names::of_task(*task))
        .raw(",\"wants\":");
    write_acquisition(line, situation.wants);
    line.raw(",\"holds\":[");
    for (u32 held = 0; held < situation.count; ++held) {
      if (held) line.raw(",");
      write_acquisition(line, situation.held[held]);
    }
    line.raw("]}");
  }
  line.raw("]");
}

void count_reported(ThreadState& thread) {
  SpinGuard guard(g_lock);
  for (auto& reported : thread.reported)
    if (u64 hits = std::exchange(reported.hits, 0)) known_races()[reported.pair].hits += hits;
}

// --- stalls ----------------------------------------------------------------------------------------------------------

namespace {

ThreadState* thread_of(const control::Actor& actor) { return thread_list::with_os_id(actor.os_id); }

// "0.2.1": the initial thread's third child's second.
void write_name(Line& line, const control::Actor* actor) {
  constexpr u32 kDeepest = 64;
  u32 path[kDeepest], depth = 0;
  for (; actor->parent && depth < kDeepest; actor = actor->parent) path[depth++] = actor->index;
  line.raw("\"0");
  while (depth > 0) line.raw(".").number(path[--depth]);
  line.raw("\"");
}

const char* kind_of_lock(uptr address) {
  Sync* sync = rt().syncs.find(address, SyncTable::kLock);
  return sync ? name(sync->kind) : "lock";
}

void write_actor(Line& line, const control::Actor& actor) {
  ThreadState* thread = actor.begun ? thread_of(actor) : nullptr;
  const control::Pending& pending = actor.pending;
  const bool wants_lock = pending.op == control::Op::kAcquire;
  line.raw("{\"name\":");
  write_name(line, &actor);
  line.raw(",\"kind\":").text(actor.what).raw(",\"waits\":").text(pending.what);
  line.raw(",\"thread\":").number(thread ? thread->number : 0);
  line.raw(",\"task\":")
      .number(thread && thread->context && thread->context->task ? thread->context->task->id : 0);
  if (wants_lock) {
    line.raw(",\"lock\":{\"kind\":").text(kind_of_lock(pending.object));
    line.raw(",\"address\":")
        .address(pending.object)
        .raw(",\"mode\":")
        .text(pending.write ? "write" : "read");
    line.raw("}");
    if (const control::Actor* holder = control::holder(pending.object, pending.write, &actor)) {
      line.raw(",\"holder\":");
      write_name(line, holder);
    }
  }
  line.raw(",\"holds\":[");
  for (u32 i = 0; i < actor.held.size(); ++i) {
    const control::HeldLock& held = actor.held[i];
    line.raw(i ? "," : "")
        .raw("{\"kind\":")
        .text(kind_of_lock(held.lock))
        .raw(",\"address\":")
        .address(held.lock);
    line.raw(",\"mode\":").text(held.write ? "write" : "read").raw("}");
  }
  line.raw("],\"stack\":").stack(thread ? current_stack(*thread, pending.pc) : 0).raw("}");
}

}  // namespace

void stall(control::Stall kind) {
  if (!ready()) return;
  write_modules();
  for (control::Actor* actor = control::first_actor(); actor; actor = actor->next)
    if (ThreadState* thread = actor->begun ? thread_of(*actor) : nullptr)
      if (thread->context) write_task(thread->context->task);
  Line line(g_last, "stall");
  line.raw(",\"kind\":")
      .text(kind == control::Stall::kDeadlock ? "deadlock" : "livelock")
      .raw(",\"actors\":[");
  bool first = true;
  for (control::Actor* actor = control::first_actor(); actor; actor = actor->next) {
    if (actor->state == control::State::kLast) continue;  // it does not wait for them
    if (!first) line.raw(",");
    first = false;
    write_actor(line, *actor);
  }
  line.raw("]");
}

namespace {

uptr word_at(uptr address) { return __atomic_load_n(reinterpret_cast<uptr*>(address), __ATOMIC_RELAXED); }

// What another thread's frames say may be out of date, if it runs. Nothing is allocated: the caller may be a signal handler.
void write_frames(Line& line, const ThreadState& thread, uptr pc) {
  const Frame* top = __atomic_load_n(&thread.top, __ATOMIC_ACQUIRE);
  const Frame* base = thread.frames + (thread.context ? thread.context->stack_base : 0);
  constexpr long kMost = 256;
  bool first = true;
  const auto put = [&](uptr place) {
    line.raw(first ? "" : ",").address(place);
    first = false;
  };
  line.raw(",\"stack\":[");
  // Where the entry hook's return address was, the return address of whatever the function calls now is.
  if (!pc && top > base && top[-1].frame_address >= thread.stack_low &&
      top[-1].frame_address < thread.stack_high)
    pc = word_at(top[-1].frame_address + sizeof(uptr));
  if (pc) put(pc);
  for (const Frame* frame = top; frame-- > base && top - frame <= kMost;) put(frame->pc);
  line.raw("]");
}

void write_thread(Line& line, const ThreadState& thread, const char* waits) {
  const standing::OwnLock own = standing::own_lock(thread);
  line.raw("{\"name\":\"").number(thread.number).raw("\",\"kind\":\"thread\",\"waits\":");
  line.text(own.lock ? "waits for a lock that it holds itself" : waits);
  line.raw(",\"thread\":").number(thread.number).raw(",\"task\":");
  line.number(thread.context && thread.context->task ? thread.context->task->id : 0);
  if (own.lock)
    line.raw(",\"lock\":{\"kind\":").text(name(own.kind)).raw(",\"address\":").address(own.lock).raw("}");
  line.raw(",\"holds\":[");
  if (thread.context)
    for (u32 i = 0; i < thread.context->locks.size(); ++i) {
      line.raw(i ? "," : "");
      write_lock(line, thread.context->locks[i] >> 1, thread.context->locks[i] & 1);
      line.raw("}");
    }
  line.raw("]");
  write_frames(line, thread, own.pc);
  line.raw("}");
}

}  // namespace

void standing(const char* kind, ThreadState* only) {
  if (!ready()) return;
  const bool locked = g_lock.lock_with_patience();
  write_modules();
  const auto chosen = [=](const ThreadState& thread) { return (!only || only == &thread) && thread.context; };
  thread_list::for_each([&](const ThreadState& thread) {
    if (chosen(thread)) write_task(thread.context->task);
  });
  {
    Line line(g_last, "stall");
    line.raw(",\"kind\":").text(kind).raw(",\"actors\":[");
    bool first = true;
    thread_list::for_each([&](const ThreadState& thread) {
      if (!chosen(thread)) return;
      line.raw(first ? "" : ",");
      first = false;
      write_thread(line, thread, kind[0] == 't' ? "was here when the time was over" : "waits");
    });
    line.raw("]");
  }
  if (locked) g_lock.unlock();
}

void not_analysed(const char* text) {
  SpinGuard guard(g_lock);
  if (ready()) Line(g_usual, "not analysed").raw(",\"text\":").text(text);
}

// Most children become another program at once: the log hears of one when there is something to tell.
void begin_child(ThreadState& thread) {
  g_process = static_cast<u64>(system_call(SYS_getpid));
  for (HashMap<Known>* known : {&known_races(), &known_violations(), &known_deadlocks()}) known->reset();
  written_tasks().reset();
  for (ThreadState::Reported& reported : thread.reported) reported = {};
  g_races = g_certain_races = g_findings = 0;
  g_modules_seen = 0;
  g_is_new_child = true;
}

// The child has one thread, and the lock may have been another's.
void leave_child_out() {
  g_process = static_cast<u64>(system_call(SYS_getpid));
  if (ready()) Line(g_last, "fork");
}
void child_executes() {
  if (ready()) Line(g_last, "exec");
}

void warning(const char* text) {
  if (ready()) Line(g_last, "warning").raw(",\"text\":").text(text);
}

namespace {

void say(const char* text) { system_call(SYS_write, STDERR_FILENO, text, length(text)); }

void hint_at_tool() {
  if (!g_races) return;
  say(g_certain_races ? "heddle: races were found"
                      : "heddle: races are predicted, none was certain in this run");
  say("; start the program with `heddle run` to see them\n");
}

void write_hits() {
  auto write = [](u64, Known& known) {
    if (known.hits > 1)
      Line(g_last, "hits").raw(",\"id\":").number(known.id).raw(",\"count\":").number(known.hits);
  };
  known_races().for_each(write);
  known_violations().for_each(write);
  known_deadlocks().for_each(write);
}

void write_stats(u64 racing_accesses) {
  struct rusage usage = {};
  system_call(SYS_getrusage, RUSAGE_SELF, &usage);
  Line line(g_last, "stats");
  line.raw(",\"tasks\":")
      .number(rt().order.task_count())
      .raw(",\"threads\":")
      .number(rt().threads.load())
      .raw(",\"call stacks\":")
      .number(rt().stacks.count())
      .raw(",\"locksets\":")
      .number(rt().locksets.count())
      .raw(",\"racing pairs of program counters\":")
      .number(g_races)
      .raw(",\"racing pairs of accesses\":")
      .number(racing_accesses)
      .raw(",\"analysis memory KiB\":")
      .number(memory::mapped_bytes() / 1024);
  if (deadlocks::g_on) {
    const deadlocks::Figures figures = deadlocks::figures();
    line.raw(",\"lock dependencies\":")
        .number(figures.situations)
        .raw(",\"lock dependencies by strand\":")
        .number(figures.entries);
  }
  // Under the verification runtime a report is the same in every run; how much the kernel gave is not.
  if (!control::on()) line.raw(",\"peak memory KiB\":").number(static_cast<u64>(usage.ru_maxrss));
}

}  // namespace

void close(const char* reason) {
  if (!g_runtime || !g_runtime->enabled || g_closed.exchange(true)) return;
  const bool becomes_another = reason[0] == 'e' && reason[1] == 'x' && reason[2] == 'e';
  ThreadState* thread = self();
  bool was_active = thread && thread->active;
  if (was_active) judge_pending(*thread);
  if (thread) thread->active = false;
  if (before_the_end) before_the_end();
  if (g_descriptor < 0) return hint_at_tool();
  if ((g_is_new_child && becomes_another) || !ready()) return;
  u64 racing_accesses = 0;
  if (g_lock.lock_with_patience()) {
    thread_list::for_each([](const ThreadState& other) {
      for (const auto& reported : other.reported)
        if (reported.hits) known_races()[reported.pair].hits += reported.hits;
    });
    known_races().for_each([&](u64, Known& known) { racing_accesses += known.hits; });
    write_hits();
    g_lock.unlock();
  }
  write_stats(racing_accesses);
  if (deadlocks::g_on && deadlocks::figures().gave_up)
    warning(
        "locks are nested in so many orders that not all cycles were looked for: a deadlock may be missing");
  if (rt().options.check_atomicity && !watched::g_anything_meant.load(std::memory_order_relaxed))
    warning(
        "--check=atomicity: nothing was said to be meant to be atomic, so no violation could be found. Say "
        "it in the "
        "source (heddle/annotate.hpp: heddle::atomic_location(x), heddle::atomic_group(a, b), "
        "heddle::atomic_region) "
        "or with --atomic=var:NAME, group:NAME,NAME, function:NAME or critical-sections");
  if (rt().locksets.overflowed())
    warning("more than a million different sets of held locks: some accesses count as unprotected");
  Line(g_last, "end").raw(",\"reason\":").text(reason);
  if (thread) thread->active = was_active;
}

}  // namespace heddle::raw_log
