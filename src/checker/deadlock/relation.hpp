// Deadlocks by lock order: the lock dependency relation, and cycles in it of any length (iGoodlock: Joshi, Park, Sen, Naik 2009).
//
//   thread 1: lock A; lock B        wants B, holds A
//   thread 2: lock B; lock A        wants A, holds B        each wants what the other holds: a cycle of two
//
// A *situation* is a lock that is acquired, and where, with the locks that are held meanwhile, and where they were acquired. Equal
// situations are one, however often they occur, so their number follows the source and the locks, not the length of the run. An *entry*
// says that a strand was in a situation. A cycle is situations s1, ..., sk with entries e1, ..., ek such that
//   1. si wants a lock that s(i+1) holds, and one of the two for writing; sk wants what s1 holds;
//   2. no lock is wanted twice, and no two of them hold a common lock (a guard), held for writing by one: they could not meet;
//   3. e1, ..., ek are pairwise parallel by structure. The published relation knows no order, and so calls a deadlock what fork and join
//      forbid.
// Each cycle of situations is reported once, whichever of its entries came last.
//
// What is remembered. With a new entry y, all that is remembered is asked once whether it comes before y; later no question about
// strands that are over is needed. An entry e of the same situation is forgotten for y if e comes before y, and whoever is remembered as
// parallel to e is parallel to y: a later z that is parallel to e is parallel to y, since it does not come after y (or it would after
// e), nor before y, which has happened. Likewise y is not remembered if an entry stands for it (race/stands_for.hpp). Everything before a
// solitude is forgotten. Beyond kMost entries of a situation the second half of the rule is given up for the oldest one: cycles of two are
// still found, longer ones perhaps not; no cycle is ever made up.
//
// Cost: an entry asks about each remembered one; cycles are looked for only if both ends of an edge are in a cycle of locks.
// Not thread-safe: the owner brings the lock.
#pragma once

#include "checker/deadlock/lock_graph.hpp"

namespace heddle::deadlock {

struct Acquisition {
  u32 lock = 0;
  u32 site = 0;  // where, as a number; not interpreted here
  bool write = true;
  bool operator==(const Acquisition&) const = default;
};

struct Situation {
  Acquisition wants;
  u32 count;
  Acquisition held[];  // ascending by lock, each lock once
};

// Of two that hold the lock, or of one that holds it and one that wants it.
inline bool exclude(const Acquisition& a, const Acquisition& b) {
  return a.lock == b.lock && (a.write || b.write);
}

// A guard: who is in the one situation keeps everybody out of the other.
inline bool exclude_each_other(const Situation& a, const Situation& b) {
  for (u32 i = 0, j = 0; i < a.count && j < b.count;) {
    if (exclude(a.held[i], b.held[j])) return true;
    if (a.held[i].lock <= b.held[j].lock)
      ++i;
    else
      ++j;
  }
  return false;
}

// One member of a cycle.
struct Edge {
  const Situation* situation;
  u64 strand;
};

class Relation {
 public:
  using SituationId = u32;

  Relation() = default;
  Relation(const Relation&) = delete;
  Relation& operator=(const Relation&) = delete;
  ~Relation() {
    for (Known* known : situations_) {
      memory::release(known->situation, size_of(known->situation->count));
      memory::destroy(known);
    }
    for (Entry* entry : entries_) memory::destroy(entry);
    holders_.for_each([](u64, Vector<SituationId>*& list) { memory::destroy(list); });
  }

  // The number of a situation. REQUIRES: `held` is ascending by lock, does not have the lock that is wanted, and is not empty.
  SituationId situation(const Acquisition& wants, const Acquisition* held, u32 count) {
    u64 hash = hash_of(wants);
    for (u32 i = 0; i < count; ++i) hash = mix(hash ^ hash_of(held[i]));
    constexpr u64 kMask = ~u64{0} >> 1;  // the map keeps ~0 for itself
    for (hash &= kMask;; hash = (hash + 1) & kMask) {
      u32* known = by_hash_.find(hash);
      if (!known) break;
      if (is(*situations_[*known]->situation, wants, held, count)) return *known;
    }
    const SituationId id = situations_.size();
    by_hash_[hash] = id;
    auto* made = static_cast<Situation*>(memory::allocate(size_of(count)));
    made->wants = wants;
    made->count = count;
    for (u32 i = 0; i < count; ++i) made->held[i] = held[i];
    Known* known = memory::make<Known>();
    known->situation = made;
    situations_.push_back(known);
    for (u32 i = 0; i < count; ++i) {
      graph_.add(held[i].lock, wants.lock);
      Vector<SituationId>*& list = holders_[held[i].lock];
      if (!list) list = memory::make<Vector<SituationId>>();
      list->push_back(id);
    }
    return id;
  }

  // The current strand is in the situation. `Now` answers for it:
  //   u64 strand()                    its name
  //   bool before(u64 strand)         does that strand come before it, by structure?
  //   bool obsolete(u64 strand)       does that strand come before all that is still to come?
  //   bool stands_for(u64 strand)     will whoever is parallel to the current strand be parallel to that one?
  //   void deadlock(const Edge*, u32) a cycle; the current strand comes first
  template <class Now>
  void add(SituationId situation, Now& now) {
    const u32 slot = free_slot();
    Entry& y = *entries_[slot];
    y.situation = situation;
    y.strand = now.strand();
    for (u32 other = 0; other < entries_.size(); ++other) {
      if (other == slot || !entries_[other]->used) continue;
      if (now.obsolete(entries_[other]->strand))
        forget(other);
      else if (now.before(entries_[other]->strand))
        y.before.set(other);
    }
    y.used = true;
    y.age = ++ages_;
    search(slot, now);
    thin_out(slot, now);
  }

  u32 situations() const { return situations_.size(); }
  u32 entries() const { return used_; }
  // A search was given up: a cycle may be missing.
  bool gave_up() const { return gave_up_; }

 private:
  static constexpr u32 kMost = 64;
  // Lock orders that are all different make exponentially many chains: some milliseconds are enough for one acquisition.
  static constexpr u32 kMostSteps = 100'000;

  class Bits {
   public:
    bool test(u32 at) const { return at / 64 < words_.size() && (words_[at / 64] >> (at % 64) & 1); }
    void set(u32 at) {
      while (words_.size() <= at / 64) words_.push_back(0);
      words_[at / 64] |= u64{1} << (at % 64);
    }
    void reset(u32 at) {
      if (at / 64 < words_.size()) words_[at / 64] &= ~(u64{1} << (at % 64));
    }
    void clear() { words_.clear(); }

   private:
    Vector<u64> words_;
  };
  struct Entry {
    SituationId situation = 0;
    u64 strand = 0;
    u64 age = 0;
    bool used = false;
    Bits before;  // entries that come before it
  };
  struct Known {
    Situation* situation = nullptr;
    Vector<u32> entries;
  };

  static usize size_of(u32 count) { return sizeof(Situation) + count * sizeof(Acquisition); }
  static u64 hash_of(const Acquisition& a) {
    return mix(mix(u64{a.lock} << 32 | a.site) + static_cast<u64>(a.write));
  }
  static bool is(const Situation& s, const Acquisition& wants, const Acquisition* held, u32 count) {
    if (!(s.wants == wants) || s.count != count) return false;
    for (u32 i = 0; i < count; ++i)
      if (!(s.held[i] == held[i])) return false;
    return true;
  }

  const Situation& of(u32 slot) const { return *situations_[entries_[slot]->situation]->situation; }
  bool comes_before(u32 a, u32 b) const { return entries_[b]->before.test(a); }
  bool parallel(u32 a, u32 b) const { return !comes_before(a, b) && !comes_before(b, a); }

  u32 free_slot() {
    ++used_;
    if (!free_.empty()) {
      const u32 slot = free_.back();
      free_.pop_back();
      return slot;
    }
    entries_.push_back(memory::make<Entry>());
    return entries_.size() - 1;
  }
  void forget(u32 slot) {
    Entry& entry = *entries_[slot];
    Vector<u32>& list = situations_[entry.situation]->entries;
    for (u32 i = 0; i < list.size(); ++i)
      if (list[i] == slot) {
        list.erase_swap(i);
        break;
      }
    release(slot);
  }
  void release(u32 slot) {
    entries_[slot]->used = false;
    entries_[slot]->before.clear();
    for (Entry* entry : entries_) entry->before.reset(slot);
    free_.push_back(slot);
    --used_;
  }

  // --- cycles

  template <class Now>
  void search(u32 slot, Now& now) {
    const Situation& situation = of(slot);
    if (!graph_.cyclic(situation.wants.lock)) return;
    steps_ = 0;
    chain_.clear();
    chain_.push_back(slot);
    extend(now);
  }

  // Who holds what the last of the chain wants?
  template <class Now>
  void extend(Now& now) {
    const Acquisition wants = of(chain_.back()).wants;
    Vector<SituationId>** list = holders_.find(wants.lock);
    if (!list) return;
    for (SituationId id : **list) {
      const Situation& next = *situations_[id]->situation;
      if (!holds_against(next, wants)) continue;
      if (id == entries_[chain_[0]]->situation) {
        if (chain_.size() > 1) found(now);
        continue;
      }
      if (!fits(next) || !graph_.cyclic(next.wants.lock)) continue;
      for (u32 slot : situations_[id]->entries) {
        if (++steps_ > kMostSteps) {
          gave_up_ = true;
          return;
        }
        if (!parallel_to_chain(slot)) continue;
        chain_.push_back(slot);
        extend(now);
        chain_.pop_back();
      }
    }
  }
  static bool holds_against(const Situation& situation, const Acquisition& wants) {
    for (u32 i = 0; i < situation.count; ++i)
      if (exclude(situation.held[i], wants)) return true;
    return false;
  }
  bool fits(const Situation& next) const {
    for (u32 slot : chain_)
      if (of(slot).wants.lock == next.wants.lock || exclude_each_other(of(slot), next)) return false;
    return true;
  }
  bool parallel_to_chain(u32 slot) const {
    for (u32 other : chain_)
      if (!parallel(other, slot)) return false;
    return true;
  }

  template <class Now>
  void found(Now& now) {
    // The same cycle begins with another one of its situations when that one comes last.
    u32 least = 0;
    for (u32 i = 1; i < chain_.size(); ++i)
      if (entries_[chain_[i]]->situation < entries_[chain_[least]]->situation) least = i;
    u64 key = 0x9e3779b97f4a7c15ull;
    for (u32 i = 0; i < chain_.size(); ++i)
      key = mix(key ^ entries_[chain_[(least + i) % chain_.size()]]->situation);
    u8& known = cycles_[key >> 1];
    if (known) return;
    known = 1;
    Vector<Edge> edges;
    for (u32 slot : chain_) edges.push_back({&of(slot), entries_[slot]->strand});
    now.deadlock(edges.begin(), edges.size());
  }

  // --- what need not be remembered

  template <class Now>
  void thin_out(u32 slot, Now& now) {
    Vector<u32>& list = situations_[entries_[slot]->situation]->entries;
    for (u32 i = 0; i < list.size();) {
      if (comes_before(list[i], slot) && serves_for(slot, list[i]))
        forget(list[i]);
      else
        ++i;
    }
    for (u32 older : list)
      if (!comes_before(older, slot) && now.stands_for(entries_[older]->strand) && serves_for(older, slot)) {
        release(slot);
        return;
      }
    if (list.size() >= kMost) {
      u32 oldest = ~0u;
      for (u32 older : list)
        if (comes_before(older, slot) && (oldest == ~0u || entries_[older]->age < entries_[oldest]->age))
          oldest = older;
      if (oldest != ~0u) forget(oldest);
    }
    list.push_back(slot);
  }
  // Is whoever is remembered as parallel to `gone` parallel to `kept` as well?
  // (A cycle has no situation twice.)
  bool serves_for(u32 kept, u32 gone) const {
    for (u32 other = 0; other < entries_.size(); ++other)
      if (entries_[other]->used && entries_[other]->situation != entries_[gone]->situation &&
          parallel(other, gone) && !parallel(other, kept))
        return false;
    return true;
  }

  LockGraph graph_;
  HashMap<u32> by_hash_;
  Vector<Known*> situations_;
  HashMap<Vector<SituationId>*> holders_;  // by lock: the situations in which it is held
  Vector<Entry*> entries_;
  Vector<u32> free_;
  u32 used_ = 0;
  u64 ages_ = 0;
  HashMap<u8> cycles_;  // that were reported, by their situations
  Vector<u32> chain_;   // of the search: slots
  u32 steps_ = 0;
  bool gave_up_ = false;
};

}  // namespace heddle::deadlock
