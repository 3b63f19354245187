// A counted loop without calls and with one exit does all of its accesses in one strand, and they are known before it
// begins: hooks before it tell of them at once, as a range, if there are no gaps.
//
// An access qualifies if it is made in every iteration, and its address moves by a fixed step. What is accessed at a
// fixed address is told once, and again if there is a second iteration.
//
// The same holds for what is told before an inner loop, or before one of several of which each iteration runs just
// one (as where a vectorised loop and the original one are chosen between): it is told before the outer loop if it is
// the same in every iteration, or moves by a fixed step (then as rows, unless there are no gaps). So a matrix that is
// read again for each row of another one is told before all of that. Nothing else in the loops matters, as long as
// they end; and in C++ a loop that does nothing which another thread could see does.
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

// What a hook tells: `rows` of `size` bytes, `stride` apart; and of each the first `again` a second time, which are
// all of them or none.
struct Told {
  SmallVector<Walker, 4> walkers;
  bool write;
  const SCEV *begin, *size, *again;
  const SCEV *rows, *stride;  // null: one row
  // Where it would be told, if not here.
  std::vector<std::pair<const Loop*, Told>> inside = {};

  bool same(const Told& other) const {
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
      auto& told = told_[loop];
      put_back(told);
      any |= !told.empty();
      put_in_before(*loop, told);
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
    auto& all = told_[&loop];
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
  void add_walk(std::vector<Told>& all, const SCEV* again, const Walk& walk, ArrayRef<Walker> walkers,
                std::int64_t width) {
    const SCEV* once = evolution_.getConstant(word_, static_cast<std::uint64_t>(width));
    const SCEV* none = evolution_.getZero(word_);
    Told told{
        {walkers.begin(), walkers.end()}, walk.write, walkers.front().start, once, none, nullptr, nullptr};
    if (!repeat(told, walk.step, again)) return;
    // Nothing is gained for single accesses with gaps.
    if (told.rows && (walkers.size() == 1 || !is_small(told))) return;
    for (const Walker& walker : walkers) walker.access->setNoSanitizeMetadata();
    all.push_back(told);
  }

  // What is told before an inner loop, and can be told before this one.
  void take_over(std::vector<Told>& all, const Loop& loop, const SCEV* again, const Loop& inner, bool sums) {
    const auto found = told_.find(&inner);
    if (found == told_.end()) return;
    for (auto told = found->second.begin(); told != found->second.end();) {
      // A few loops tell the same, and one of them is run in each iteration.
      SmallVector<const Loop*, 4> those{&inner};
      for (const Loop* other : loop)
        if (other != &inner && tells(*other, *told)) those.push_back(other);
      Told outer = *told;
      if (is_to_thread_data(told->first()) || !one_is_run(loop, those) ||
          !move_out(outer, loop, again, sums)) {
        ++told;
        continue;
      }
      const bool stays = outer.begin == told->begin;
      outer.inside.clear();
      if (!stays) outer.inside.push_back({&inner, *told});
      for (const Loop* other : ArrayRef<const Loop*>(those).drop_front()) {
        auto& of_other = told_[other];
        const auto same = find_if(of_other, [&](const Told& it) { return is(it, *told); });
        append_range(outer.walkers, same->walkers);
        if (!stays) outer.inside.push_back({other, *same});
        of_other.erase(same);
      }
      all.push_back(outer);
      told = found->second.erase(told);
    }
  }
  static bool is(const Told& a, const Told& b) { return a.write == b.write && a.same(b); }
  bool tells(const Loop& loop, const Told& told) const {
    const auto found = told_.find(&loop);
    return found != told_.end() && count_if(found->second, [&](const Told& it) { return is(it, told); }) == 1;
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
  bool move_out(Told& told, const Loop& loop, const SCEV* again, bool sums) {
    const SCEV* step = evolution_.getZero(word_);
    if (const auto* moving = dyn_cast<SCEVAddRecExpr>(told.begin); moving && moving->getLoop() == &loop) {
      step = moving->getStepRecurrence(evolution_);
      if (!moving->isAffine() || !fits(*step)) return false;
      told.begin = moving->getStart();
    }
    for (const SCEV* part : {told.begin, told.size, told.again, told.rows, told.stride})
      if (part && !evolution_.isLoopInvariant(part, &loop)) return false;
    if (step->isZero() && (sums || sums_in_rows(loop))) return false;
    return repeat(told, step, again);
  }
  // Is a row written at a fixed place?
  bool sums_in_rows(const Loop& loop) const {
    return any_of(loop, [&](const Loop* inner) {
      const auto found = told_.find(inner);
      return found != told_.end() && any_of(found->second, [&](const Told& told) {
               return told.write && evolution_.isLoopInvariant(told.begin, &loop);
             });
    });
  }

  // The same in each iteration, and so many more. REQUIRES: what it is does not change there, but for its place.
  bool repeat(Told& told, const SCEV* step, const SCEV* again) {
    const SCEV* one = evolution_.getOne(word_);
    const auto* size = dyn_cast<SCEVConstant>(told.size);
    const auto* by = dyn_cast<SCEVConstant>(step);
    if (step->isZero()) {
      told.again = evolution_.getUMaxExpr(
          told.again, evolution_.getMulExpr(evolution_.getUMinExpr(again, one), told.size));
    } else if (size && by && !told.rows && by->getAPInt().abs() == size->getAPInt()) {
      // The distance that it covers.
      const SCEV* way = evolution_.getMulExpr(again, size);
      if (by->getAPInt().isNegative()) told.begin = evolution_.getMinusSCEV(told.begin, way);
      told.size = evolution_.getAddExpr(way, size);
      told.again = evolution_.getMulExpr(told.again, evolution_.getAddExpr(again, one));
    } else if (!told.rows && !is_to_thread_data(told.first())) {
      told.rows = evolution_.getAddExpr(again, one);
      told.stride = step;
    } else {
      return false;
    }
    for (const SCEV* part : {told.begin, told.size, told.again, told.rows, told.stride})
      if (part && !expander_.isSafeToExpandAt(part, here_)) return false;
    return true;
  }

  // Much memory is better walked as the loops do. If each of several accesses to it walked all of it before the next
  // one does, what is pending would be checked again and again (AccessSets::kDirty). It is worth it only for what
  // then stays where it is in yet another loop.
  void put_back(std::vector<Told>& all) {
    erase_if(all, [&](Told& told) {
      if (told.inside.empty() || is_small(told)) return false;
      for (auto& [loop, before] : told.inside) told_[loop].push_back(before);
      return true;
    });
  }
  bool is_small(const Told& told) {
    constexpr std::uint64_t kBlock = 256, kFewBlocks = 128;
    const std::uint64_t size = evolution_.getUnsignedRangeMax(told.size).getLimitedValue();
    const std::uint64_t rows = told.rows ? evolution_.getUnsignedRangeMax(told.rows).getLimitedValue() : 1;
    return rows <= kFewBlocks && size <= kFewBlocks * kBlock && rows * (size / kBlock + 1) <= kFewBlocks;
  }

  void put_in_before(const Loop& loop, std::vector<Told>& all) {
    for (Told& told : all) {
      if (told.walkers.empty()) continue;  // told together with a write
      bool reads = !told.write, writes = told.write;
      for (Told& other : all)
        if (&other != &told && !other.walkers.empty() && other.write != told.write && told.same(other) &&
            !is_to_thread_data(told.first())) {
          reads = writes = true;
          if (other.write) told.walkers = other.walkers;  // the hook's place is the write's
          other.walkers.clear();
          break;
        }
      put_in_hooks(loop, told, reads, writes);
    }
  }

  void put_in_hooks(const Loop& loop, const Told& told, bool reads, bool writes) {
    Instruction* here = loop.getLoopPreheader()->getTerminator();
    IRBuilder<> builder(here);
    auto value = [&](const SCEV* of) { return expander_.expandCodeFor(of, word_, here); };
    Value* begin = expander_.expandCodeFor(told.begin, builder.getPtrTy(), here);
    for (const SCEV* size : {told.size, told.again}) {
      if (size->isZero()) continue;
      if (told.rows) {
        const std::uint32_t what = (writes ? 2u : 0u) | (reads ? 1u : 0u);
        put_in_hook(builder, kRows,
                    {begin, value(size), value(told.rows), value(told.stride), builder.getInt32(what)},
                    told.walkers);
      } else {
        const char* kind = !writes ? "read" : reads ? "read_write" : "write";
        put_in_hook(builder, ("__tsan_" + Twine(kind) + "_range").str(), {begin, value(size)}, told.walkers);
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
  DenseMap<const Loop*, std::vector<Told>> told_;
};

}  // namespace

bool put_in_loop_hooks(LoopInfo& loops, ScalarEvolution& evolution, const DominatorTree& dominators,
                       const DataLayout& layout) {
  return LoopHooks(loops, evolution, dominators, layout).put_in();
}
