#include "runtime/log/findings.hpp"

#include "base/hash_map.hpp"
#include "runtime/log/parts.hpp"
#include "runtime/state/abstract_names.hpp"
#include "runtime/state/process.hpp"
#include "runtime/state/thread_list.hpp"

namespace heddle::raw_log {

using race::Access;
using race::Evidence;

namespace {

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

// The number of a new finding, 0 for one that has a number. REQUIRES: the lock is held.
u32 number_new(Known& known) { return known.id ? 0 : known.id = ++g_findings; }

// The map keeps ~0 for itself, so a bit is given up: not the one that says how sure it is.
u64 key_at(u64 places, Evidence evidence) { return mix(places + (evidence == Evidence::kCertain)) >> 1; }

u64 pair_key(const Access& a, const Access& b, Evidence evidence) {
  u64 x = rt().stacks.pc(a.site()) << 1 | a.write(), y = rt().stacks.pc(b.site()) << 1 | b.write();
  if (x > y) std::swap(x, y);
  return key_at(mix(x) * 3 + mix(y) * 5, evidence);
}

}  // namespace

ThreadState::Reported& race(ThreadState& thread, uptr block, u32 granules, const Access& earlier,
                            const Access& now, Evidence evidence, const char* unless) {
  const u64 sites = u64{earlier.site()} << 32 | u64{now.site()} << 3 | u64{earlier.write()} << 2 |
                    u64{now.write()} << 1 | (evidence == Evidence::kCertain);
  auto& reported = thread.reported[mix(sites) % ThreadState::kReported];
  if (reported.sites == sites) {
    reported.hits += count_bits(granules);
    return reported;
  }
  const u64 pair = pair_key(earlier, now, evidence);
  SpinGuard guard(g_lock);
  if (reported.hits) known_races()[reported.pair].hits += reported.hits;
  reported = {sites, pair, 0};
  Known& known = known_races()[pair];
  known.hits += count_bits(granules);
  const u32 id = number_new(known);
  if (!id) return reported;
  ++g_races;
  if (evidence == Evidence::kCertain) ++g_certain_races;
  if (!ready()) return reported;
  write_modules();
  write_task(rt().order.find(earlier.task()));
  write_task(rt().order.find(now.task()));
  uptr granule = block + static_cast<u32>(__builtin_ctz(granules)) * 8u;
  u8 common = earlier.bytes() & now.bytes();
  uptr at = granule + static_cast<uptr>(__builtin_ctz(common));
  HeapBlock heap = rt().heap.around(at);
  if (heap.size && heap.task) write_task(rt().order.find(heap.task));
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
  write_location(line, at, heap);
  return reported;
}

void violation(const Violation& found) {
  auto key_of = [](const Access& access) { return rt().stacks.pc(access.site()) << 1 | access.write(); };
  const u64 key =
      key_at(mix(mix(key_of(found.first)) + key_of(found.intruder)) + key_of(found.last), found.evidence);
  SpinGuard guard(g_lock);
  Known& known = known_violations()[key];
  ++known.hits;
  const u32 id = number_new(known);
  if (!id || !ready()) return;
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
    u64 edge = key_of(edges[i].dependency->wants);
    for (u32 held = 0; held < edges[i].dependency->count; ++held)
      edge += 3 * key_of(edges[i].dependency->held[held]);
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
  const u32 id = number_new(known);
  if (!id || !ready()) return;
  write_modules();
  for (u32 i = 0; i < count; ++i) write_task(task_of(edges[i]));
  Line line(g_usual, "deadlock");
  line.raw(",\"id\":").number(id).raw(",\"evidence\":").text(happened ? "certain" : "predicted");
  line.raw(",\"edges\":[");
  for (u32 i = 0; i < count; ++i) {
    const deadlock::Dependency& dependency = *edges[i].dependency;
    const order::Task* task = task_of(edges[i]);
    line.raw(i ? ",{\"task\":" : "{\"task\":")
        .number(task->id)
        .raw(",\"thread\":")
        .number(task->thread.load(std::memory_order_relaxed))
        .raw(",\"name\":")
        .address(abstract_names::of_task(*task))
        .raw(",\"wants\":");
    write_acquisition(line, dependency.wants);
    line.raw(",\"holds\":[");
    for (u32 held = 0; held < dependency.count; ++held) {
      if (held) line.raw(",");
      write_acquisition(line, dependency.held[held]);
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

void forget_findings(ThreadState& thread) {
  for (HashMap<Known>* known : {&known_races(), &known_violations(), &known_deadlocks()}) known->reset();
  for (ThreadState::Reported& reported : thread.reported) reported = {};
  g_races = g_certain_races = g_findings = 0;
}

u64 write_hits() {
  thread_list::for_each([](const ThreadState& other) {
    for (const auto& reported : other.reported)
      if (reported.hits) known_races()[reported.pair].hits += reported.hits;
  });
  u64 racing_accesses = 0;
  known_races().for_each([&](u64, Known& known) { racing_accesses += known.hits; });
  auto write = [](u64, Known& known) {
    if (known.hits > 1)
      Line(g_last, "hits").raw(",\"id\":").number(known.id).raw(",\"count\":").number(known.hits);
  };
  known_races().for_each(write);
  known_violations().for_each(write);
  known_deadlocks().for_each(write);
  return racing_accesses;
}

Found found() { return {g_races, g_certain_races, known_deadlocks().size()}; }

}  // namespace heddle::raw_log
