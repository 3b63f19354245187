#include "history/codec.hpp"

#include <algorithm>

#include "base/check.hpp"

namespace heddle::history {

using namespace event;

namespace {

Record ticketed(Op op, u32 a = 0, u8 flags = 0, u32 b = 0) {
  Record record;
  record.op = op;
  record.flags = flags;
  record.a = a;
  record.b = b;
  return record;
}

void put_depends(const std::vector<Depend>& depends, std::vector<Record>& records) {
  for (const Depend& depend : depends) {
    Record record;
    record.op = Op::kDepend;
    record.flags = static_cast<u8>(depend.kind);
    record.address = depend.address;
    records.push_back(record);
  }
}

}  // namespace

void put_memory(const Access& access, std::vector<Record>& records) {
  Record record;
  record.op = Op::kAccess;
  record.flags = static_cast<u8>((access.write ? kWriteFlag : 0) | (access.atomic ? kAtomicFlag : 0) |
                                 (access.bound ? kBoundFlag : 0));
  record.a = access.site;
  constexpr u32 kMost = 0xffff, kPiece = 0xfff8;  // whole granules
  u64 address = access.address;
  for (u32 left = access.size; left > 0;) {
    u32 size = left <= kMost ? left : kPiece;
    record.size = static_cast<u16>(size);
    record.address = address;
    records.push_back(record);
    address += size;
    left -= size;
  }
}

void put_memory(const NewMemory& memory, std::vector<Record>& records) {
  Record record;
  record.op = Op::kNewMemory;
  constexpr u64 kMost = ~u32{0}, kPiece = u64{1} << 31;
  u64 address = memory.address;
  for (u64 left = memory.size; left > 0;) {
    u64 size = left <= kMost ? left : kPiece;
    record.a = static_cast<u32>(size);
    record.address = address;
    records.push_back(record);
    address += size;
    left -= size;
  }
}

void Encoder::of_task(u32 task, std::vector<Record>& records) {
  if (task == task_) return;
  task_ = task;
  Record record;
  record.op = Op::kTask;
  record.a = task;
  records.push_back(record);
}

void Encoder::add(const Access& access, std::vector<Record>& records) {
  of_task(access.task, records);
  put_memory(access, records);
}

void Encoder::add(const NewMemory& memory, std::vector<Record>& records) {
  of_task(memory.task, records);
  put_memory(memory, records);
}

void Encoder::add(const Event& event, std::vector<Record>& records) {
  if (auto* access = std::get_if<Access>(&event)) return add(*access, records);
  if (auto* memory = std::get_if<NewMemory>(&event)) return add(*memory, records);
  of_task(task_of(event), records);
  auto put = [&](Record record) {
    record.ticket = ticket_++;
    records.push_back(record);
  };
  auto put_with = [&](Record record, const std::vector<Depend>& depends) {
    record.size = static_cast<u16>(depends.size());
    put(record);
    put_depends(depends, records);
  };
  std::visit(Handlers{
                 [&](const Spawn& e) {
                   put_with(ticketed(Op::kSpawn, e.child, static_cast<u8>(e.kind)), e.depends);
                 },
                 [&](const Begin& e) { put(ticketed(Op::kBegin, e.thread)); },
                 [&](const End&) { put(ticketed(Op::kEnd)); },
                 [&](const JoinThread& e) { put(ticketed(Op::kJoinThread, e.child)); },
                 [&](const WaitChildren&) { put(ticketed(Op::kWaitChildren)); },
                 [&](const WaitDepend& e) { put_with(ticketed(Op::kWaitDepend), e.depends); },
                 [&](const GroupOpen&) { put(ticketed(Op::kGroupOpen)); },
                 [&](const GroupClose&) { put(ticketed(Op::kGroupClose)); },
                 [&](const Fork& e) { put(ticketed(Op::kFork, e.team)); },
                 [&](const TeamBegin& e) { put(ticketed(Op::kTeamBegin, e.team, 0, e.thread)); },
                 [&](const WorkBegin& e) { put(ticketed(Op::kWorkBegin, e.team, 0, e.thread)); },
                 [&](const BarrierArrive& e) { put(ticketed(Op::kBarrierArrive, e.team)); },
                 [&](const BarrierLeave& e) { put(ticketed(Op::kBarrierLeave, e.team)); },
                 [&](const Join& e) { put(ticketed(Op::kJoin, e.team)); },
                 [&](const Signal& e) { put(ticketed(Op::kSignal, e.object, e.replace ? kReplaceFlag : 0)); },
                 [&](const Await& e) { put(ticketed(Op::kAwait, e.object)); },
                 [&](const Acquire& e) {
                   const u8 flags = (e.write ? kWriteFlag : 0) | (e.tries ? kTriesFlag : 0);
                   put(ticketed(Op::kAcquire, e.lock, flags, e.site));
                 },
                 [&](const Release& e) { put(ticketed(Op::kRelease, e.lock, e.write ? kWriteFlag : 0)); },
                 [&](const Bind&) { put(ticketed(Op::kBind)); },
                 [&](const DetachThread& e) { put(ticketed(Op::kDetachThread, e.child)); },
                 [&](const Access&) {},
                 [&](const NewMemory&) {},
             },
             event);
}

Event decode(const Record& r, u32 task) {
  const bool write = r.flags & kWriteFlag;
  switch (r.op) {
    case Op::kSpawn:
      return Spawn{task, r.a, static_cast<SpawnKind>(r.flags)};
    case Op::kBegin:
      return Begin{task, r.a};
    case Op::kEnd:
      return End{task};
    case Op::kJoinThread:
      return JoinThread{task, r.a};
    case Op::kWaitChildren:
      return WaitChildren{task};
    case Op::kWaitDepend:
      return WaitDepend{task};
    case Op::kGroupOpen:
      return GroupOpen{task};
    case Op::kGroupClose:
      return GroupClose{task};
    case Op::kFork:
      return Fork{task, r.a};
    case Op::kTeamBegin:
      return TeamBegin{task, r.a, r.b};
    case Op::kWorkBegin:
      return WorkBegin{task, r.a, r.b};
    case Op::kBarrierArrive:
      return BarrierArrive{task, r.a};
    case Op::kBarrierLeave:
      return BarrierLeave{task, r.a};
    case Op::kJoin:
      return Join{task, r.a};
    case Op::kSignal:
      return Signal{task, r.a, (r.flags & kReplaceFlag) != 0};
    case Op::kAwait:
      return Await{task, r.a};
    case Op::kAcquire:
      return Acquire{task, r.a, write, (r.flags & kTriesFlag) != 0, r.b};
    case Op::kRelease:
      return Release{task, r.a, write};
    case Op::kBind:
      return Bind{task};
    case Op::kDetachThread:
      return DetachThread{task, r.a};
    case Op::kNone:
    case Op::kTask:
    case Op::kAccess:
    case Op::kNewMemory:
    case Op::kDepend:
    case Op::kSite:
    case Op::kSitePc:
    case Op::kOrder:
      break;
  }
  HEDDLE_CHECK(!"a record that is an event with a ticket");
  return Bind{task};
}

Depend decode_depend(const Record& record) { return {record.address, static_cast<DependKind>(record.flags)}; }

u32 largest_number(const Event& event) {
  u32 other = std::visit(Handlers{
                             [](const Spawn& e) { return e.child; },
                             [](const Begin& e) { return e.thread; },
                             [](const JoinThread& e) { return e.child; },
                             [](const DetachThread& e) { return e.child; },
                             [](const Fork& e) { return e.team; },
                             [](const TeamBegin& e) { return std::max(e.team, e.thread); },
                             [](const WorkBegin& e) { return std::max(e.team, e.thread); },
                             [](const BarrierArrive& e) { return e.team; },
                             [](const BarrierLeave& e) { return e.team; },
                             [](const Join& e) { return e.team; },
                             [](const Signal& e) { return e.object; },
                             [](const Await& e) { return e.object; },
                             [](const Acquire& e) { return e.lock; },
                             [](const Release& e) { return e.lock; },
                             [](const OneOf<End, WaitChildren, WaitDepend, GroupOpen, GroupClose, Bind,
                                            Access, NewMemory> auto&) { return u32{0}; },
                         },
                         event);
  return std::max(task_of(event), other);
}

bool is_valid(const Record& record, u64 numbers) {
  switch (record.op) {
    case Op::kNone:
      return false;
    case Op::kAccess:
    case Op::kNewMemory:
      return is_valid_memory(record);
    case Op::kDepend:
      return record.flags <= static_cast<u8>(DependKind::kAllMemory);
    case Op::kSite:
    case Op::kSitePc:
    case Op::kOrder:
      return true;
    case Op::kSpawn:
      return record.flags <= static_cast<u8>(SpawnKind::kBeside) && record.a < numbers;
    case Op::kTask:
      return record.a < numbers;
    // With a ticket. Those that do not use `b` have 0 there.
    case Op::kBegin:
    case Op::kEnd:
    case Op::kJoinThread:
    case Op::kWaitChildren:
    case Op::kWaitDepend:
    case Op::kGroupOpen:
    case Op::kGroupClose:
    case Op::kFork:
    case Op::kTeamBegin:
    case Op::kWorkBegin:
    case Op::kBarrierArrive:
    case Op::kBarrierLeave:
    case Op::kJoin:
    case Op::kSignal:
    case Op::kAwait:
    case Op::kAcquire:
    case Op::kRelease:
    case Op::kBind:
    case Op::kDetachThread:
      return record.a < numbers && record.b < numbers;
  }
  return false;  // a damaged file
}

}  // namespace heddle::history
