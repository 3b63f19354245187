// The shadow of a block of 32 granules (256 bytes), in three forms. Programs touch memory in stretches, so most
// blocks remember one thing: one cell stands for all granules that were touched, and one verdict serves them all.
// Unrolled loops and small records leave a few groups of granules. Otherwise each granule has a cell of its own.
//
// Thread safety: none; the holder of the block may use it.
#pragma once

#include "base/prefetch.hpp"
#include "checker/race/access.hpp"

namespace heddle::race {

class BlockCells {
  enum class Form : u8 { kOne, kGroups, kEach };
  // One reference for each group.
  struct Groups {
    static constexpr u32 kMost = 6;
    u32 granules[kMost];
    u32 count;
    Cell cell[kMost];

    static Groups* make() {
      auto* groups = static_cast<Groups*>(memory::allocate_unzeroed(sizeof(Groups)));
      for (u32& none : groups->granules) none = 0;  // a glance may look at more than there are
      groups->count = 0;
      return groups;
    }
  };
  // One reference for each granule. Most remember one access only: room for a second, beside the first, is made when
  // there are any. What is at granules that were not touched means nothing.
  struct Each {
    Access* at;
    u64 paired;

    static Each make(u64 paired) { return {static_cast<Access*>(memory::allocate(bytes(paired))), paired}; }
    static usize bytes(u64 paired) { return (usize{32} << paired) * sizeof(Access); }
    void free() { memory::release(at, bytes(paired)); }

    const Access* of(u32 granule) const { return at + (granule << paired); }
    Cell get(u32 granule) const {
      const Access* cell = of(granule);
      return {cell[0], paired ? cell[1] : Access{}};
    }
    bool is(u32 granule, const Cell& cell) const { return get(granule) == cell; }
    void set(u32 granule, const Cell& cell) {
      if (cell.second.strand && !paired) pair();
      Access* place = at + (granule << paired);
      place[0] = cell.first;
      if (paired) place[1] = cell.second;
    }

   private:
    void pair() {
      Each wider = make(1);
      for (u32 granule = 0; granule < 32; ++granule) wider.at[2 * granule] = at[granule];
      free();
      *this = wider;
    }
  };

 public:
  BlockCells() : one_{}, touched_(0), form_(Form::kOne) {}

  bool empty() const { return touched_ == 0; }
  // Does one cell stand for all? Does each granule have its own?
  bool uniform() const { return form_ == Form::kOne; }
  bool separate() const { return form_ == Form::kEach; }
  u32 touched() const { return touched_; }
  // The same of a block that is not held: a guess.
  u32 glance_at_touched() const { return __atomic_load_n(&touched_, __ATOMIC_RELAXED); }
  // What a granule remembers.
  Cell at(u32 granule) const {
    if (!(touched_ >> granule & 1)) return {};
    if (form_ == Form::kOne) return one_;
    if (form_ == Form::kEach) return each_.get(granule);
    u32 i = 0;
    while (!(groups_->granules[i] >> granule & 1)) ++i;
    return groups_->cell[i];
  }
  // A look at a block that is not held. REQUIRES: `unchanged()` returns whether no thread has changed it since before
  // the constructor, and what get() returns is only believed if it still does.
  class Glance {
   public:
    template <class Unchanged>
    Glance(const BlockCells& block, Unchanged unchanged) {
      // clang has no atomic operations on enumerations.
      form_ = static_cast<Form>(__atomic_load_n(reinterpret_cast<const u8*>(&block.form_), __ATOMIC_RELAXED));
      touched_ = __atomic_load_n(&block.touched_, __ATOMIC_RELAXED);
      const u64* words = reinterpret_cast<const u64*>(&block.one_);
      for (u32 i = 0; i < 4; ++i) words_[i] = __atomic_load_n(words + i, __ATOMIC_RELAXED);
      // What a pointer led to may be used for something else by now, but it is still there.
      valid_ = unchanged();
    }
    bool valid() const { return valid_; }
    bool uniform() const { return form_ == Form::kOne; }
    u32 touched() const { return touched_; }
    Cell get(u32 granule) const {
      if (!(touched_ >> granule & 1)) return {};
      if (form_ == Form::kOne) return {{words_[0], words_[1]}, {words_[2], words_[3]}};
      if (form_ == Form::kEach) {
        return Each{reinterpret_cast<Access*>(words_[0]), words_[1]}.get(granule);
      }
      const auto* groups = reinterpret_cast<const Groups*>(words_[0]);
      for (u32 i = 0; i < Groups::kMost; ++i)
        if (groups->granules[i] >> granule & 1) return groups->cell[i];
      return {};
    }

   private:
    Form form_;
    u32 touched_;
    u64 words_[4];
    bool valid_;
  };

  // Prefetches what update() will read for these words, two to a granule.
  void ask_for(u64 words) const {
    if (form_ == Form::kEach) {
      const u32 in_a_line = each_.paired ? 4 : 8;
      for (u64 left = words; left;) {
        const u32 word = static_cast<u32>(__builtin_ctzll(left));
        prefetch(each_.of(word / 2));
        left &= ~(((u64{1} << in_a_line) - 1) << (word & ~(in_a_line - 1)));
      }
    } else if (form_ == Form::kGroups) {
      prefetch(groups_);
    }
  }

  // The same for what update_own() will, if there are lists. REQUIRES: separate().
  void ask_for_lists(u32 granules) const {
    if (!each_.paired) return;
    for (u32 left = granules; left; left &= left - 1) {
      const Cell cell = each_.get(static_cast<u32>(__builtin_ctz(left)));
      if (cell.has_list()) prefetch(cell.list());
    }
  }

  // Calls change(cell, granules) for what the granules remember, once for as many as share a cell; with an empty cell
  // for those that remember nothing.
  template <class Change>
  void update(u32 granules, Change change) {
    if (form_ == Form::kEach && !touched_ && size(granules) > kScattered) free_each();
    if (form_ == Form::kOne) {
      if (!touched_ || touched_ == granules) {
        change(one_, granules);
        touched_ = one_.empty() ? 0 : granules;
        return;
      }
      if (!(granules & ~touched_)) return update_part(granules, change);
      divide();
    }
    if (form_ == Form::kGroups && !has_room(granules)) separate_all();
    if (form_ == Form::kGroups)
      update_groups(granules, change);
    else
      update_each(granules, change);
  }

  // Granules that remember nothing remember this from now on. False, and nothing is done, if that takes more than to
  // store it.
  bool store(u32 granules, const Access& access) {
    if (form_ == Form::kEach) {
      if (!touched_ && size(granules) > kScattered)
        free_each();
      else {
        for (u32 left = granules; left; left &= left - 1)
          each_.set(static_cast<u32>(__builtin_ctz(left)), {access, {}});
        touched_ |= granules;
        return true;
      }
    }
    if (form_ != Form::kOne || touched_) return false;
    one_ = {access, {}};
    touched_ = granules;
    return true;
  }

  // Calls change(cell) for what just this granule remembers, in place; false if it shares a cell, or remembers nothing.
  // REQUIRES: change() leaves something there; or it returns false, and has done nothing.
  template <class Change>
  bool update_alone(u32 granule, Change change) {
    const u32 bit = 1u << granule;
    if (form_ == Form::kOne) return touched_ == bit && change(one_);
    if (!(touched_ & bit)) return false;
    if (form_ == Form::kEach) {
      Cell cell = each_.get(granule);
      if (!change(cell)) return false;
      each_.set(granule, cell);
      return true;
    }
    u32 i = 0;
    while (!(groups_->granules[i] & bit)) ++i;
    return groups_->granules[i] == bit && change(groups_->cell[i]);
  }

  // What just this granule remembers, to be changed in place; null if it shares a cell, or remembers nothing. There may
  // be no room for a second access.
  struct Place {
    Access* first = nullptr;
    Access* second = nullptr;
  };
  HEDDLE_INLINE Place alone(u32 granule) {
    const u32 bit = 1u << granule;
    Cell* cell;
    if (form_ == Form::kOne) {
      if (touched_ != bit) return {};
      cell = &one_;
    } else {
      if (!(touched_ & bit)) return {};
      if (form_ == Form::kEach) {
        Access* at = each_.at + (granule << each_.paired);
        return {at, each_.paired ? at + 1 : nullptr};
      }
      u32 i = 0;
      while (!(groups_->granules[i] & bit)) ++i;
      if (groups_->granules[i] != bit) return {};
      cell = &groups_->cell[i];
    }
    return {&cell->first, &cell->second};
  }

  // Calls change(cell) for what the granule remembers. REQUIRES: separate().
  template <class Change>
  void update_own(u32 granule, Change change) {
    Cell cell = touched_ >> granule & 1 ? each_.get(granule) : Cell{};
    change(cell);
    each_.set(granule, cell);
    touched_ = cell.empty() ? touched_ & ~(1u << granule) : touched_ | 1u << granule;
  }

  // Forgets the granules. Calls before_clear(cell, granules) before.
  template <class BeforeClear>
  void clear(u32 granules, BeforeClear before_clear) {
    granules &= touched_;
    if (!granules) return;
    touched_ &= ~granules;
    if (form_ == Form::kOne) {
      before_clear(one_, granules);
      if (touched_) return;
      release(one_);
      one_ = {};
    } else if (form_ == Form::kGroups) {
      for (u32 i = 0; i < groups_->count;) {
        u32 common = groups_->granules[i] & granules;
        if (common) before_clear(groups_->cell[i], common);
        if (groups_->granules[i] &= ~common) {
          ++i;
        } else {
          release(groups_->cell[i]);
          remove(i);
        }
      }
      if (groups_->count <= 1) unite();
    } else {
      for (u32 left = granules; left; left &= left - 1) {
        u32 granule = static_cast<u32>(__builtin_ctz(left));
        Cell cell = each_.get(granule);
        before_clear(cell, left & -left);
        release(cell);
        if (touched_) each_.set(granule, {});
      }
      if (!touched_) free_each();
    }
  }
  void clear(u32 granules) {
    clear(granules, [](const Cell&, u32) {});
  }
  // Forgets all granules. Where each had its own cell it is likely that each soon will again.
  void clear_all() {
    if (form_ != Form::kEach) return clear(~0u);
    if (each_.paired)
      for (u32 left = touched_; left; left &= left - 1)
        release(each_.get(static_cast<u32>(__builtin_ctz(left))));
    touched_ = 0;
  }

  // Calls visit(cell) for everything that is remembered.
  template <class Visit>
  void for_each(Visit visit) const {
    if (!touched_) return;
    if (form_ == Form::kOne) return visit(one_);
    if (form_ == Form::kGroups) {
      for (u32 i = 0; i < groups_->count; ++i) visit(groups_->cell[i]);
      return;
    }
    for (u32 left = touched_; left; left &= left - 1) visit(each_.get(static_cast<u32>(__builtin_ctz(left))));
  }

  // Looks whether cells of their own have become few enough for groups.
  void regroup() {
    if (form_ != Form::kEach) return;
    Groups found = {};
    for (u32 left = touched_; left; left &= left - 1) {
      const Cell cell = each_.get(static_cast<u32>(__builtin_ctz(left)));
      u32 i = 0;
      while (i < found.count && !(found.cell[i] == cell)) ++i;
      if (i == Groups::kMost - 2) return;
      if (i == found.count) found.cell[found.count++] = cell;
      found.granules[i] |= left & -left;
    }
    for (u32 i = 0; i < found.count; ++i) {
      u32 others = size(found.granules[i]) - 1;
      if (others) release(found.cell[i], others);
    }
    free_each();
    groups_ = Groups::make();
    *groups_ = found;
    form_ = Form::kGroups;
    if (found.count <= 1) unite();
  }

 private:
  // With so many granules that are touched at once, a block is no longer one of scattered accesses.
  static constexpr u32 kScattered = 8;

  static u32 size(u32 granules) { return count_bits(granules); }

  // Of what one cell stands for: often it stays as it is.
  template <class Change>
  void update_part(u32 granules, Change change) {
    Cell after = one_;
    retain(after);
    change(after, granules);
    if (after == one_) return release(after);
    divide();
    groups_->granules[0] = touched_ & ~granules;
    if (after.empty())
      touched_ &= ~granules;
    else
      append(granules, after);
    if (groups_->count == 1) unite();
  }

  template <class Change>
  void update_groups(u32 granules, Change change) {
    Groups& g = *groups_;
    u32 left = granules, changed = 0;
    for (u32 i = 0, before = g.count; i < before && left; ++i) {
      u32 common = g.granules[i] & left;
      if (!common) continue;
      left &= ~common;
      u32 at = i;
      if (common != g.granules[i]) {
        g.granules[i] &= ~common;
        retain(g.cell[i]);
        at = append(common, g.cell[i]);
      }
      change(g.cell[at], common);
      if (g.cell[at].empty()) touched_ &= ~common;
      changed |= 1u << at;
    }
    if (left) {
      Cell fresh;
      change(fresh, left);
      if (!fresh.empty()) {
        touched_ |= left;
        changed |= 1u << append(left, fresh);
      }
    }
    // What has become equal is one group again; what has become empty is none.
    for (u32 i = g.count; i-- > 0;) {
      if (!(changed >> i & 1)) continue;
      bool gone = g.cell[i].empty();
      for (u32 j = 0; j < g.count && !gone; ++j) {
        if (j == i || !(g.cell[j] == g.cell[i])) continue;
        g.granules[j] |= g.granules[i];
        release(g.cell[i]);
        gone = true;
      }
      if (gone) remove(i);  // the last takes its place: it has been checked, or did not change
    }
    if (g.count <= 1) unite();
  }

  template <class Change>
  void update_each(u32 granules, Change change) {
    if (!(granules & (granules - 1)))  // scattered accesses come one by one
      return update_own(static_cast<u32>(__builtin_ctz(granules)),
                        [&](Cell& cell) { change(cell, granules); });
    for (u32 left = granules & ~touched_; left; left &= left - 1)
      each_.set(static_cast<u32>(__builtin_ctz(left)), {});
    for (u32 left = granules; left;) {
      const Cell before = each_.get(static_cast<u32>(__builtin_ctz(left)));
      u32 those = 0, count = 0;
      for (; left && each_.is(static_cast<u32>(__builtin_ctz(left)), before); left &= left - 1, ++count)
        those |= left & -left;
      Cell now = before;
      change(now, those);
      if (now == before) continue;
      if (count > 1) {
        release(before, count - 1);
        retain(now, count - 1);
      }
      for (u32 rest = those; rest; rest &= rest - 1) each_.set(static_cast<u32>(__builtin_ctz(rest)), now);
      touched_ = now.empty() ? touched_ & ~those : touched_ | those;
    }
  }

  bool has_room(u32 granules) const {
    u32 more = (granules & ~touched_) != 0;
    for (u32 i = 0; i < groups_->count; ++i)
      more += (groups_->granules[i] & granules) && (groups_->granules[i] & ~granules);
    return groups_->count + more <= Groups::kMost;
  }
  u32 append(u32 granules, const Cell& cell) {
    groups_->granules[groups_->count] = granules;
    groups_->cell[groups_->count] = cell;
    return groups_->count++;
  }
  void remove(u32 at) {
    u32 last = --groups_->count;
    groups_->granules[at] = groups_->granules[last];
    groups_->cell[at] = groups_->cell[last];
  }

  void divide() {
    Cell one = one_;
    groups_ = Groups::make();
    form_ = Form::kGroups;
    append(touched_, one);
  }
  void unite() {
    Groups* groups = groups_;
    one_ = groups->count ? groups->cell[0] : Cell{};
    form_ = Form::kOne;
    memory::release(groups, sizeof(Groups));
  }
  void separate_all() {
    Groups* groups = groups_;
    each_ = Each::make(0);
    form_ = Form::kEach;
    for (u32 i = 0; i < groups->count; ++i) {
      for (u32 left = groups->granules[i]; left; left &= left - 1)
        each_.set(static_cast<u32>(__builtin_ctz(left)), groups->cell[i]);
      if (u32 others = size(groups->granules[i]) - 1) retain(groups->cell[i], others);
    }
    memory::release(groups, sizeof(Groups));
  }
  void free_each() {
    each_.free();
    one_ = {};
    form_ = Form::kOne;
  }

  // All zero is the empty block.
  union {
    Cell one_;
    Groups* groups_;
    Each each_;
  };
  u32 touched_;
  Form form_;
};

}  // namespace heddle::race
