// Deadlocks by lock order: the lock dependency relation, and cycles in it of any length (iGoodlock: Joshi, Park, Sen, Naik 2009).
//
//   thread 1: lock A; lock B        wants B, holds A
//   thread 2: lock B; lock A        wants A, holds B        each wants what the other holds: a cycle of two
//
// A *situation* is a lock that is acquired, and where, with the locks that are held meanwhile, and where they were acquired. Equal
// situations are one, however often they occur, so their number follows the source and the locks, not the length of the run. An *entry*
// says that a strand was in a situation; strands of a task between which it has neither learned nor told anything are one *moment*. A cycle is situations s1, ..., sk with entries e1, ..., ek such that
//   1. si wants a lock that s(i+1) holds, and one of the two for writing; sk wants what s1 holds;
//   2. no lock is wanted twice, and no two of them hold a common lock (a guard), held for writing by one: they could not meet;
//   3. e1, ..., ek are pairwise parallel by structure. The published relation knows no order, and so calls a deadlock what fork and join
//      forbid.
// Each cycle of situations is reported once, whichever of its entries came last.
//
// What is remembered. With a new moment, all that are remembered are asked once whether they come before it; later no question about
// strands that are over is needed. An entry e of the same situation is forgotten for y if e comes before y, and whoever is remembered as
// parallel to e is parallel to y: a later z that is parallel to e is parallel to y, since it does not come after y (or it would after
// e), nor before y, which has happened. Likewise y is not remembered if an entry stands for it (race/stands_for.hpp). Everything before a
// solitude is forgotten. Beyond kMost entries of a situation the second half of the rule is given up for the oldest one: cycles of two are
// still found, longer ones perhaps not; no cycle is ever made up.
//
// Cost: a moment asks about each remembered one, an entry none; cycles are looked for only if both ends of an edge are in a cycle of locks.
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

// Of two that hold the lock, or of one that holds it and one that wants it.
inline bool exclude(const Acquisition& a, const Acquisition& b) {
  return a.lock == b.lock && (a.write || b.write);
}

struct Situation {
  Acquisition wants;
  u32 count;
  Acquisition held[];  // ascending by lock, each lock once

  static Situation* make(const Acquisition& wants, const Acquisition* held, u32 count) {
    auto* made = static_cast<Situation*>(memory::allocate(size_of(count)));
    made->wants = wants;
    made->count = count;
    for (u32 i = 0; i < count; ++i) made->held[i] = held[i];
    return made;
  }
  static void release(const Situation* situation) {
    memory::release(const_cast<Situation*>(situation), size_of(situation->count));
  }
  // Does whoever wants that wait for whoever is in this situation?
  bool holds_against(const Acquisition& other_wants) const {
    for (u32 i = 0; i < count; ++i)
      if (exclude(held[i], other_wants)) return true;
    return false;
  }

 private:
  static usize size_of(u32 count) { return sizeof(Situation) + count * sizeof(Acquisition); }
};

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

// Two strands of a task with the same standing are the same to everybody else: it has neither learned nor told anything in between.
struct Standing {
  u64 knowledge = 0;  // task and strand since which it knows what it knows
  u32 told_at = 0;
  bool operator==(const Standing&) const = default;
};

class Relation {
 public:
  using SituationId = u32;

  Relation() = default;
  Relation(const Relation&) = delete;
  Relation& operator=(const Relation&) = delete;
  ~Relation() {
    for (Known* known : situations_) {
      Situation::release(known->situation);
      memory::destroy(known);
    }
    for (Moment* moment : moments_) memory::destroy(moment);
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
    Known* known = memory::make<Known>();
    known->situation = Situation::make(wants, held, count);
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
  //   u64 strand()                    its name: task << 32 | index
  //   Standing standing()
  //   bool before(u64 strand)         does that strand come before it, by structure?
  //   bool obsolete(u64 strand)       does that strand come before all that is still to come?
  //   bool stands_for(u64 strand)     will whoever is parallel to the current strand be parallel to that one?
  //   void deadlock(const Edge*, u32) a cycle; the current strand comes first
  template <class Now>
  void add(SituationId situation, Now& now) {
    const u32 moment = moment_of(now);
    for (u32 known : situations_[situation]->moments)
      if (known == moment) return;
    search({situation, moment}, now);
    remember({situation, moment}, now);
  }

  u32 situations() const { return situations_.size(); }
  u32 entries() const { return entries_; }
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
  struct Moment {
    u64 strand = 0;  // its first
    Standing standing;
    u64 age = 0;
    bool used = false;
    Bits before;                     // moments that come before it
    Vector<SituationId> situations;  // in which its task was then
  };
  struct Known {
    Situation* situation = nullptr;
    Vector<u32> moments;
  };
  struct Entry {
    SituationId situation;
    u32 moment;
  };

  static u64 hash_of(const Acquisition& a) {
    return mix(mix(u64{a.lock} << 32 | a.site) + static_cast<u64>(a.write));
  }
  static bool is(const Situation& s, const Acquisition& wants, const Acquisition* held, u32 count) {
    if (!(s.wants == wants) || s.count != count) return false;
    for (u32 i = 0; i < count; ++i)
      if (!(s.held[i] == held[i])) return false;
    return true;
  }

  const Situation& of(const Entry& entry) const { return *situations_[entry.situation]->situation; }
  bool comes_before(u32 a, u32 b) const { return moments_[b]->before.test(a); }
  bool parallel(u32 a, u32 b) const { return a != b && !comes_before(a, b) && !comes_before(b, a); }

  template <class Now>
  u32 moment_of(Now& now) {
    const Standing standing = now.standing();
    u32& latest = latest_[now.strand() >> 32];
    if (latest < moments_.size() && moments_[latest]->used && moments_[latest]->standing == standing)
      return latest;
    const u32 slot = latest = free_slot();
    Moment& made = *moments_[slot];
    made.strand = now.strand();
    made.standing = standing;
    made.age = ++ages_;
    for (u32 other = 0; other < moments_.size(); ++other) {
      if (!moments_[other]->used) continue;
      if (now.obsolete(moments_[other]->strand))
        forget_moment(other);
      else if (now.before(moments_[other]->strand))
        made.before.set(other);
    }
    made.used = true;
    return slot;
  }
  u32 free_slot() {
    if (!free_.empty()) {
      const u32 slot = free_.back();
      free_.pop_back();
      return slot;
    }
    moments_.push_back(memory::make<Moment>());
    return moments_.size() - 1;
  }
  static void erase(Vector<u32>& list, u32 value) {
    for (u32 i = 0; i < list.size(); ++i)
      if (list[i] == value) return list.erase_swap(i);
  }
  void forget_moment(u32 slot) {
    for (SituationId situation : moments_[slot]->situations) erase(situations_[situation]->moments, slot);
    entries_ -= moments_[slot]->situations.size();
    moments_[slot]->situations.clear();
    release_if_empty(slot);
  }
  void forget(const Entry& entry) {
    erase(situations_[entry.situation]->moments, entry.moment);
    erase(moments_[entry.moment]->situations, entry.situation);
    --entries_;
    release_if_empty(entry.moment);
  }
  void release_if_empty(u32 slot) {
    Moment& moment = *moments_[slot];
    if (!moment.situations.empty()) return;
    moment.used = false;
    moment.before.clear();
    for (Moment* other : moments_) other->before.reset(slot);
    free_.push_back(slot);
  }

  // --- cycles

  template <class Now>
  void search(const Entry& entry, Now& now) {
    if (!graph_.cyclic(of(entry).wants.lock)) return;
    steps_ = 0;
    chain_.clear();
    chain_.push_back(entry);
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
      if (!next.holds_against(wants)) continue;
      if (id == chain_[0].situation) {
        if (chain_.size() > 1) found(now);
        continue;
      }
      if (!fits(next) || !graph_.cyclic(next.wants.lock)) continue;
      for (u32 moment : situations_[id]->moments) {
        if (++steps_ > kMostSteps) {
          gave_up_ = true;
          return;
        }
        if (!parallel_to_chain(moment)) continue;
        chain_.push_back({id, moment});
        extend(now);
        chain_.pop_back();
      }
    }
  }
  bool fits(const Situation& next) const {
    for (const Entry& entry : chain_)
      if (of(entry).wants.lock == next.wants.lock || exclude_each_other(of(entry), next)) return false;
    return true;
  }
  bool parallel_to_chain(u32 moment) const {
    for (const Entry& entry : chain_)
      if (!parallel(entry.moment, moment)) return false;
    return true;
  }

  template <class Now>
  void found(Now& now) {
    // The same cycle begins with another one of its situations when that one comes last.
    u32 least = 0;
    for (u32 i = 1; i < chain_.size(); ++i)
      if (chain_[i].situation < chain_[least].situation) least = i;
    u64 key = 0x9e3779b97f4a7c15ull;
    for (u32 i = 0; i < chain_.size(); ++i) key = mix(key ^ chain_[(least + i) % chain_.size()].situation);
    u8& known = cycles_[key >> 1];
    if (known) return;
    known = 1;
    Vector<Edge> edges;
    for (const Entry& entry : chain_) edges.push_back({&of(entry), moments_[entry.moment]->strand});
    now.deadlock(edges.begin(), edges.size());
  }

  // --- what need not be remembered

  template <class Now>
  void remember(const Entry& y, Now& now) {
    Vector<u32>& list = situations_[y.situation]->moments;
    for (u32 i = 0; i < list.size();) {
      if (comes_before(list[i], y.moment) && serves_for(y.moment, list[i], y.situation))
        forget({y.situation, list[i]});
      else
        ++i;
    }
    for (u32 older : list)
      if (!comes_before(older, y.moment) && now.stands_for(moments_[older]->strand) &&
          serves_for(older, y.moment, y.situation))
        return release_if_empty(y.moment);
    if (list.size() >= kMost) {
      u32 oldest = ~0u;
      for (u32 older : list)
        if (comes_before(older, y.moment) && (oldest == ~0u || moments_[older]->age < moments_[oldest]->age))
          oldest = older;
      if (oldest != ~0u) forget({y.situation, oldest});
    }
    list.push_back(y.moment);
    moments_[y.moment]->situations.push_back(y.situation);
    ++entries_;
  }
  // Is whoever is remembered as parallel to `gone` parallel to `kept` as well? (A cycle has no situation twice.)
  bool serves_for(u32 kept, u32 gone, SituationId situation) const {
    for (u32 other = 0; other < moments_.size(); ++other) {
      const Moment& moment = *moments_[other];
      const bool only_the_same = moment.situations.size() == 1 && moment.situations[0] == situation;
      if (moment.used && !only_the_same && other != kept && parallel(other, gone) && !parallel(other, kept))
        return false;
    }
    return true;
  }

  LockGraph graph_;
  HashMap<u32> by_hash_;
  Vector<Known*> situations_;
  HashMap<Vector<SituationId>*> holders_;  // by lock: the situations in which it is held
  Vector<Moment*> moments_;
  Vector<u32> free_;
  HashMap<u32> latest_;  // by task: its latest moment, if it is still that
  u32 entries_ = 0;
  u64 ages_ = 0;
  HashMap<u8> cycles_;   // that were reported, by their situations
  Vector<Entry> chain_;  // of the search
  u32 steps_ = 0;
  bool gave_up_ = false;
};

}  // namespace heddle::deadlock
