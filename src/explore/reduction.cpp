#include "explore/reduction.hpp"

#include <algorithm>
#include <tuple>

namespace heddle::explore {
namespace {

KeyMode change(bool write) { return write ? KeyMode::kWriteChange : KeyMode::kReadChange; }
KeyMode pulse(bool write) { return write ? KeyMode::kWritePulse : KeyMode::kReadPulse; }

// The union of two modes. A read that changes and a write that pulses together conflict with everything.
KeyMode both(KeyMode a, KeyMode b) {
  auto writes = [](KeyMode mode) { return mode == KeyMode::kWritePulse || mode == KeyMode::kWriteChange; };
  auto changes = [](KeyMode mode) { return mode == KeyMode::kReadChange || mode == KeyMode::kWriteChange; };
  bool write = writes(a) || writes(b);
  return changes(a) || changes(b) ? change(write) : pulse(write);
}

}  // namespace

void add_object_keys(const Step& step, Pulses pulses, Footprint& footprint) {
  auto add = [&](KeyKind kind, u64 object, KeyMode mode) { footprint.keys.push_back({kind, mode, object}); };
  for (const Held& held : step.gained) add(KeyKind::kLock, held.lock, change(held.write));
  for (const Held& held : step.given) add(KeyKind::kLock, held.lock, change(held.write));
  for (const Held& held : step.pulsed)
    add(KeyKind::kLock, held.lock, pulses == Pulses::kPulse ? pulse(held.write) : change(held.write));
  if (step.op == Op::kTryAcquire) add(KeyKind::kLock, step.object, change(step.write));
  for (const Sync& sync : step.syncs) add(KeyKind::kSync, sync.object, change(sync.write));
  if (step.op == Op::kAtomic) add(KeyKind::kSync, step.object, change(step.write));
  for (const Held& tried : step.looks.locks) add(KeyKind::kLock, tried.lock, change(tried.write));
  for (const Sync& sync : step.looks.syncs) add(KeyKind::kSync, sync.object, change(sync.write));
}

void add_touches(const Step& step, Footprint& footprint) {
  footprint.locks = locks_of(step, true);
  for (const auto* accesses : {&step.accesses, &step.looks.reads})
    for (const Access& access : *accesses)
      if (access.size != 0 && !access.fresh && (access.atomic || !footprint.locks.empty()))
        footprint.touches.push_back(
            {access.address, access.address + access.size, access.write, access.atomic});
}

void settle(Footprint& footprint) {
  auto place = [](const Key& key) { return std::tuple(key.kind, key.object); };
  auto& keys = footprint.keys;
  std::sort(keys.begin(), keys.end(), [&](const Key& a, const Key& b) { return place(a) < place(b); });
  usize kept = 0;
  for (const Key& key : keys) {
    if (kept != 0 && place(keys[kept - 1]) == place(key))
      keys[kept - 1].mode = both(keys[kept - 1].mode, key.mode);
    else
      keys[kept++] = key;
  }
  keys.resize(kept);
  auto order = [](const Touch& t) { return std::tuple(t.begin, t.end, t.write, t.atomic); };
  auto& touches = footprint.touches;
  std::sort(touches.begin(), touches.end(),
            [&](const Touch& a, const Touch& b) { return order(a) < order(b); });
  touches.erase(std::unique(touches.begin(), touches.end(),
                            [&](const Touch& a, const Touch& b) { return order(a) == order(b); }),
                touches.end());
}

std::span<const Reduction* const> reductions() {
  static const Reduction* const kAll[] = {&conflict_aware(), &every_section(), &every_region(),
                                          &every_access()};
  return kAll;
}

const Reduction* find_reduction(std::string_view name) {
  for (const Reduction* reduction : reductions())
    if (reduction->name() == name) return reduction;
  return nullptr;
}

}  // namespace heddle::explore
