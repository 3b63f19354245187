// A counted loop without calls and with one exit does all of its accesses in one strand, and they are known before it
// begins: one hook before the loop stands for all of them, as a range, if there are no gaps.
//
// An access qualifies if it is made in every iteration, and its address moves by a fixed step. What is accessed at a
// fixed address is passed to the hook once, and again if there is a second iteration.
//
// A hook before an inner loop, or before one of several of which each iteration runs just one (as where a vectorised
// loop and the original one are chosen between), moves out of the loop around it if it is the same in every iteration,
// or moves by a fixed step (then as rows, unless there are no gaps). So a matrix that is read again for each row of
// another one has its hook before all of that. Nothing else in the loops matters, as long as they end; and in C++ a
// loop that does nothing which another thread could see does.
//
// The read and the write of `a[i] += x` are one hook.
#include "frontend/compiler/clang/loop_hooks.hpp"

#include <llvm/Analysis/ScalarEvolutionExpressions.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/Transforms/Utils/ScalarEvolutionExpander.h>

#include "frontend/compiler/clang/thread_data.hpp"
#include "frontend/compiler/clang/walks.hpp"

using namespace llvm;

namespace {

// What a hook stands for: `rows` of `size` bytes, `stride` apart; and of each the first `again` a second time, which
// are all of them or none.
struct Accessed {
  SmallVector<Walker, 4> walkers;
  bool write;
  const SCEV *begin, *size, *again;
  const SCEV *rows, *stride;  // null: one row
  // Where it would have its hook, if not here.
  std::vector<std::pair<const Loop*, Accessed>> inside = {};

  bool same(const Accessed& other) const {
    return begin == other.begin && size == other.size && again == other.again && rows == other.rows &&
           stride == other.stride && same_place(first(), other.first()) &&
           is_to_thread_data(first()) == is_to_thread_data(other.first());
  }
  const Instruction& first() const { return *walkers.front().access; }
};

// One function's.
class LoopHooks {
 public:
  LoopHooks(const LoopInfo& loops, ScalarEvolution& evolution, const DominatorTree& dominators,
            const DataLayout& layout)
      : loops_(loops),
        evolution_(evolution),
        dominators_(dominators),
        layout_(layout),
        expander_(evolution, layout, "heddle.range"),
        word_(Type::getInt64Ty(evolution.getContext())) {}

  bool put_in() {
    const auto outer_first = loops_.getLoopsInPreorder();
    for (Loop* loop : reverse(outer_first)) look_at(*loop);
    bool any = false;
    for (const Loop* loop : outer_first) {
      auto& accessed = accessed_[loop];
      put_back(accessed);
      any |= !accessed.empty();
      put_in_before(*loop, accessed);
    }
    return any;
  }

 private:
  // Nothing in it synchronises, and the loops inside end.
  bool quiet(const Loop& loop) const {
    for (const BasicBlock* block : loop.blocks())
      if (any_of(*block, may_synchronise)) return false;
    return all_of(loop, [&](const Loop* inner) { return ends(*inner); });
  }
  bool ends(const Loop& loop) const {
    if (!isMustProgress(&loop) && isa<SCEVCouldNotCompute>(evolution_.getBackedgeTakenCount(&loop)))
      return false;
    return all_of(loop, [&](const Loop* inner) { return ends(*inner); });
  }

  void look_at(Loop& loop) {
    BasicBlock *before = loop.getLoopPreheader(), *latch = loop.getLoopLatch();
    if (!before || !latch || loop.getExitingBlock() != latch || !quiet(loop)) return;
    const SCEV* again = evolution_.getBackedgeTakenCount(&loop);
    if (isa<SCEVCouldNotCompute>(again) || evolution_.getTypeSizeInBits(again->getType()) > 64) return;
    again = evolution_.getNoopOrZeroExtend(again, word_);
    here_ = before->getTerminator();
    // heddle confirm must be able to interleave the iterations of a sum.
    const bool sums = any_of(loop.blocks(), [&](const BasicBlock* block) {
      return any_of(*block, [&](const Instruction& instruction) {
        return isa<StoreInst>(instruction) &&
               loop.isLoopInvariant(cast<StoreInst>(instruction).getPointerOperand());
      });
    });
    Walks walks(evolution_, layout_);
    for (BasicBlock* block : loop.blocks())
      if (loops_.getLoopFor(block) == &loop && dominators_.dominates(block, latch))
        for (Instruction& instruction : *block)
          if (is_instrumented(instruction)) add(walks, loop, instruction, sums);
    auto& all = accessed_[&loop];
    walks.for_each_part([&](const Walk& walk, ArrayRef<Walker> walkers, std::int64_t width) {
      add_walk(all, again, walk, walkers, width);
    });
    for (const Loop* inner : loop) take_over(all, loop, again, *inner, sums);
  }

  void add(Walks& walks, const Loop& loop, Instruction& instruction, bool sums) {
    const SCEV* start = evolution_.getSCEV(getLoadStorePointerOperand(&instruction));
    const SCEV* step = evolution_.getZero(word_);
    if (const auto* moving = dyn_cast<SCEVAddRecExpr>(start); moving && moving->getLoop() == &loop) {
      step = moving->getStepRecurrence(evolution_);
      if (!moving->isAffine() || !fits(*step)) return;
      start = moving->getStart();
    }
    if (!evolution_.isLoopInvariant(start, &loop) || (step->isZero() && sums)) return;
    walks.add(instruction, start, step);
  }
  static bool fits(const SCEV& step) {
    const auto* constant = dyn_cast<SCEVConstant>(&step);
    return !constant || constant->getAPInt().getSignificantBits() <= 32;
  }

  // What a loop does by itself.
  void add_walk(std::vector<Accessed>& all, const SCEV* again, const Walk& walk, ArrayRef<Walker> walkers,
                std::int64_t width) {
    const SCEV* once = evolution_.getConstant(word_, static_cast<std::uint64_t>(width));
    const SCEV* none = evolution_.getZero(word_);
    Accessed accessed{
        {walkers.begin(), walkers.end()}, walk.write, walkers.front().start, once, none, nullptr, nullptr};
    if (!repeat(accessed, walk.step, again)) return;
    // Nothing is gained for single accesses with gaps.
    if (accessed.rows && (walkers.size() == 1 || !is_small(accessed))) return;
    for (const Walker& walker : walkers) walker.access->setNoSanitizeMetadata();
    all.push_back(accessed);
  }

  // What has its hook before an inner loop, and can have it before this one.
  void take_over(std::vector<Accessed>& all, const Loop& loop, const SCEV* again, const Loop& inner,
                 bool sums) {
    const auto found = accessed_.find(&inner);
    if (found == accessed_.end()) return;
    for (auto accessed = found->second.begin(); accessed != found->second.end();) {
      // A few loops have the same hook, and one of them is run in each iteration.
      SmallVector<const Loop*, 4> those{&inner};
      for (const Loop* other : loop)
        if (other != &inner && covers(*other, *accessed)) those.push_back(other);
      Accessed outer = *accessed;
      if (is_to_thread_data(accessed->first()) || !one_is_run(loop, those) ||
          !move_out(outer, loop, again, sums)) {
        ++accessed;
        continue;
      }
      const bool stays = outer.begin == accessed->begin;
      outer.inside.clear();
      if (!stays) outer.inside.push_back({&inner, *accessed});
      for (const Loop* other : ArrayRef<const Loop*>(those).drop_front()) {
        auto& of_other = accessed_[other];
        const auto same = find_if(of_other, [&](const Accessed& it) { return is(it, *accessed); });
        append_range(outer.walkers, same->walkers);
        if (!stays) outer.inside.push_back({other, *same});
        of_other.erase(same);
      }
      all.push_back(outer);
      accessed = found->second.erase(accessed);
    }
  }
  static bool is(const Accessed& a, const Accessed& b) { return a.write == b.write && a.same(b); }
  bool covers(const Loop& loop, const Accessed& accessed) const {
    const auto found = accessed_.find(&loop);
    return found != accessed_.end() &&
           count_if(found->second, [&](const Accessed& it) { return is(it, accessed); }) == 1;
  }

  // Does each iteration of the loop begin exactly one of these loops inside, exactly once?
  bool one_is_run(const Loop& loop, ArrayRef<const Loop*> those) const {
    SmallPtrSet<const BasicBlock*, 4> places;
    for (const Loop* inner : those) places.insert(inner->getLoopPreheader());
    // Not without one.
    if (!places.contains(loop.getHeader()) && reaches_end(loop, loop.getHeader(), places)) return false;
    // And not a second one.
    return all_of(places, [&](const BasicBlock* place) { return !reaches_one(loop, place, places); });
  }
  // The blocks of the iteration that can come after this one. Stops where `visit` says so.
  template <class Visit>
  static void for_each_after(const Loop& loop, const BasicBlock* block, Visit visit) {
    SmallPtrSet<const BasicBlock*, 16> seen;
    SmallVector<const BasicBlock*, 16> left{block};
    while (!left.empty()) {
      for (const BasicBlock* next : successors(left.pop_back_val()))
        if (next != loop.getHeader() && loop.contains(next) && seen.insert(next).second && visit(next))
          left.push_back(next);
    }
  }
  static bool reaches_end(const Loop& loop, const BasicBlock* block,
                          const SmallPtrSetImpl<const BasicBlock*>& without) {
    bool end = block == loop.getLoopLatch();
    for_each_after(loop, block, [&](const BasicBlock* next) {
      if (without.contains(next)) return false;
      end |= next == loop.getLoopLatch();
      return true;
    });
    return end;
  }
  static bool reaches_one(const Loop& loop, const BasicBlock* block,
                          const SmallPtrSetImpl<const BasicBlock*>& places) {
    bool any = false;
    for_each_after(loop, block, [&](const BasicBlock* next) { return any |= places.contains(next), true; });
    return any;
  }

  // From before an inner loop to before this one.
  bool move_out(Accessed& accessed, const Loop& loop, const SCEV* again, bool sums) {
    const SCEV* step = evolution_.getZero(word_);
    if (const auto* moving = dyn_cast<SCEVAddRecExpr>(accessed.begin); moving && moving->getLoop() == &loop) {
      step = moving->getStepRecurrence(evolution_);
      if (!moving->isAffine() || !fits(*step)) return false;
      accessed.begin = moving->getStart();
    }
    for (const SCEV* part : {accessed.begin, accessed.size, accessed.again, accessed.rows, accessed.stride})
      if (part && !evolution_.isLoopInvariant(part, &loop)) return false;
    if (step->isZero() && (sums || sums_in_rows(loop))) return false;
    return repeat(accessed, step, again);
  }
  // Is a row written at a fixed place?
  bool sums_in_rows(const Loop& loop) const {
    return any_of(loop, [&](const Loop* inner) {
      const auto found = accessed_.find(inner);
      return found != accessed_.end() && any_of(found->second, [&](const Accessed& accessed) {
               return accessed.write && evolution_.isLoopInvariant(accessed.begin, &loop);
             });
    });
  }

  // The same in each iteration, and so many more. REQUIRES: what it is does not change there, but for its place.
  bool repeat(Accessed& accessed, const SCEV* step, const SCEV* again) {
    const SCEV* one = evolution_.getOne(word_);
    const auto* size = dyn_cast<SCEVConstant>(accessed.size);
    const auto* by = dyn_cast<SCEVConstant>(step);
    if (step->isZero()) {
      accessed.again = evolution_.getUMaxExpr(
          accessed.again, evolution_.getMulExpr(evolution_.getUMinExpr(again, one), accessed.size));
    } else if (size && by && !accessed.rows && by->getAPInt().abs() == size->getAPInt()) {
      // The distance that it covers.
      const SCEV* way = evolution_.getMulExpr(again, size);
      if (by->getAPInt().isNegative()) accessed.begin = evolution_.getMinusSCEV(accessed.begin, way);
      accessed.size = evolution_.getAddExpr(way, size);
      accessed.again = evolution_.getMulExpr(accessed.again, evolution_.getAddExpr(again, one));
    } else if (!accessed.rows && !is_to_thread_data(accessed.first())) {
      accessed.rows = evolution_.getAddExpr(again, one);
      accessed.stride = step;
    } else {
      return false;
    }
    for (const SCEV* part : {accessed.begin, accessed.size, accessed.again, accessed.rows, accessed.stride})
      if (part && !expander_.isSafeToExpandAt(part, here_)) return false;
    return true;
  }

  // Much memory is better walked as the loops do. If each of several accesses to it walked all of it before the next
  // one does, what is pending would be checked again and again (AccessSets::kDirty). It is worth it only for what
  // then stays where it is in yet another loop.
  void put_back(std::vector<Accessed>& all) {
    erase_if(all, [&](Accessed& accessed) {
      if (accessed.inside.empty() || is_small(accessed)) return false;
      for (auto& [loop, before] : accessed.inside) accessed_[loop].push_back(before);
      return true;
    });
  }
  bool is_small(const Accessed& accessed) {
    constexpr std::uint64_t kBlock = 256, kFewBlocks = 128;
    const std::uint64_t size = evolution_.getUnsignedRangeMax(accessed.size).getLimitedValue();
    const std::uint64_t rows =
        accessed.rows ? evolution_.getUnsignedRangeMax(accessed.rows).getLimitedValue() : 1;
    return rows <= kFewBlocks && size <= kFewBlocks * kBlock && rows * (size / kBlock + 1) <= kFewBlocks;
  }

  void put_in_before(const Loop& loop, std::vector<Accessed>& all) {
    for (Accessed& accessed : all) {
      if (accessed.walkers.empty()) continue;  // part of a write's hook
      bool reads = !accessed.write, writes = accessed.write;
      for (Accessed& other : all)
        if (&other != &accessed && !other.walkers.empty() && other.write != accessed.write &&
            accessed.same(other) && !is_to_thread_data(accessed.first())) {
          reads = writes = true;
          if (other.write) accessed.walkers = other.walkers;  // the hook's place is the write's
          other.walkers.clear();
          break;
        }
      put_in_hooks(loop, accessed, reads, writes);
    }
  }

  void put_in_hooks(const Loop& loop, const Accessed& accessed, bool reads, bool writes) {
    Instruction* here = loop.getLoopPreheader()->getTerminator();
    IRBuilder<> builder(here);
    auto value = [&](const SCEV* of) { return expander_.expandCodeFor(of, word_, here); };
    Value* begin = expander_.expandCodeFor(accessed.begin, builder.getPtrTy(), here);
    for (const SCEV* size : {accessed.size, accessed.again}) {
      if (size->isZero()) continue;
      if (accessed.rows) {
        const std::uint32_t what = (writes ? 2u : 0u) | (reads ? 1u : 0u);
        put_in_hook(
            builder, kRows,
            {begin, value(size), value(accessed.rows), value(accessed.stride), builder.getInt32(what)},
            accessed.walkers);
      } else {
        const char* kind = !writes ? "read" : reads ? "read_write" : "write";
        put_in_hook(builder, ("__tsan_" + Twine(kind) + "_range").str(), {begin, value(size)},
                    accessed.walkers);
      }
    }
  }

  const LoopInfo& loops_;
  ScalarEvolution& evolution_;
  const DominatorTree& dominators_;
  const DataLayout& layout_;
  SCEVExpander expander_;
  Type* word_;
  Instruction* here_ = nullptr;  // before the loop that is looked at
  DenseMap<const Loop*, std::vector<Accessed>> accessed_;
};

}  // namespace

bool put_in_loop_hooks(LoopInfo& loops, ScalarEvolution& evolution, const DominatorTree& dominators,
                       const DataLayout& layout) {
  return LoopHooks(loops, evolution, dominators, layout).put_in();
}
