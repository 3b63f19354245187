// Which actors poll? See control.hpp.
#include <sys/mman.h>
#include <sys/syscall.h>

#include <cstring>

#include "base/system_call.hpp"
#include "control/core.hpp"
#include "control/guided.hpp"
#include "control/state.hpp"

namespace heddle::control {

uptr (*place_of)(uptr pc) = nullptr;

namespace {

// An actor that looks at more does not count as polling.
constexpr u32 kMostLooks = 1024;
// A loop over critical sections that only read, without a pause, need not be a poll. It counts as one after so many
// repetitions.
constexpr u32 kMostSections = 8;
// If loops of polls are known to end by themselves: so many looks in a row are no polls. Each allows more orders.
constexpr u32 kMostRepeated = 8;

uptr place_at(uptr pc) { return place_of ? place_of(pc) : pc; }

u64 value_at(uptr address, u32 size) {
  u64 value = 0;
  std::memcpy(&value, reinterpret_cast<const void*>(address), size);
  return value;
}

// The memory may have been freed meanwhile.
bool is_there(uptr address, u32 size) {
  constexpr uptr kPage = 4096;
  const uptr first = address & ~(kPage - 1);
  return system_call(SYS_msync, static_cast<long>(first), static_cast<long>(address + size - first),
                     MS_ASYNC) == 0;
}

bool is_new(const Look& look, const Actor& actor) {
  if (look.size == 0 || look.changed) return look.changed && look.changed(look, actor);
  return !is_there(look.object, look.size) || value_at(look.object, look.size) != look.value;
}

Look* find(Actor& actor, uptr place, uptr object) {
  for (Look& look : actor.looked_at)
    if (look.place == place && look.object == object) return &look;
  return nullptr;
}

// False: there is no room.
bool add(Actor& actor, const Look& look) {
  if (actor.looked_at.size() == kMostLooks) return false;
  if (actor.looked_at.empty()) actor.looks_from = board() && board()->steps ? board()->steps - 1 : 0;
  actor.looked_at.push_back(look);
  return true;
}

void forget(Actor& actor, uptr address, usize size) {
  for (u32 i = actor.looked_at.size(); i-- > 0;) {
    const Look& look = actor.looked_at[i];
    if (look.size && look.object < address + size && address < look.object + look.size)
      actor.looked_at.erase_swap(i);
  }
}

bool has_read(const Actor& actor, uptr address, u32 size) {
  for (const Look& look : actor.looked_at)
    if (look.place == 0 && look.object == address && look.size == size) return true;
  return false;
}

// Memory on the actor's own stack also changes when functions return. There, only writes of other actors count: they
// set `write`.
bool was_written(const Look& look, const Actor&) { return look.write; }
bool g_any_own = false;

void mark_written(const Actor& writer, uptr address, usize size) {
  for (Actor* actor = g_any_own ? first_actor() : nullptr; actor; actor = actor->next)
    for (Look& look : actor->looked_at)
      if (actor != &writer && look.changed == was_written && look.object < address + size &&
          address < look.object + look.size)
        look.write = true;
}

}  // namespace

bool finds_news(const Actor& actor) {
  for (const Look& look : actor.looked_at)
    if (is_new(look, actor)) return true;
  return false;
}

void forget_looks(Actor& actor) { actor.looked_at.clear(); }

void change_something(Actor& actor) {
  forget_looks(actor);
  for (HeldLock& held : actor.held) held.changed = true;
}

void note_pause(Actor& actor) {
  for (Look& look : actor.looked_at) look.paused = true;
}

void note_acquisition(HeldLock& held) { held.place = place_at(held.pc); }

void note_section(Actor& actor, const HeldLock& held) {
  if (held.changed) return;
  Look* look = find(actor, held.place, held.lock);
  if (!look && add(actor, {.place = held.place, .object = held.lock, .section = true}))
    look = &actor.looked_at.back();
  if (look) ++look->times;
}

const Look* has_looked(uptr object, uptr pc) {
  if (!explores()) return nullptr;
  const Look* look = find(*current(), place_at(pc), object);
  if (look && look->section && !look->paused && look->times < kMostSections) return nullptr;
  if (look && g_core.scheduler->repeats_polls && look->times < kMostRepeated) return nullptr;
  return look;
}

void looked_at(const Look& seen, uptr pc) {
  Look look = seen;
  look.place = place_at(pc);
  if (look.size) look.value = value_at(look.object, look.size);
  if (Look* known = find(*current(), look.place, look.object)) {
    look.times = known->times + 1;
    *known = look;
  } else {
    add(*current(), look);
  }
}

void touched(uptr address, usize size, bool write, bool own) {
  Actor& actor = *current();
  if (write && !own) mark_written(actor, address, size);
  bool any = false;  // sections that may only have read
  for (const HeldLock& held : actor.held) any |= !held.changed;
  if (!any) return;
  if (write && own) return forget(actor, address, size);
  if (write) return change_something(actor);
  g_any_own |= own;
  for (uptr end = address + size; address < end;) {
    const u32 part = static_cast<u32>(end - address < 8 ? end - address : 8);
    if (!has_read(actor, address, part) && !add(actor, {.object = address,
                                                        .value = value_at(address, part),
                                                        .size = part,
                                                        .changed = own ? was_written : nullptr}))
      return change_something(actor);
    address += part;
  }
}

}  // namespace heddle::control
