#include "explore/reversal.hpp"

#include <algorithm>

namespace heddle::explore {
namespace {

class Finder {
 public:
  Finder(const Analysis& analysis, ReversalSink& sink)
      : analysis_(analysis), execution_(analysis.execution()), sink_(sink) {}

  void look_at(u32 at, const Step& step) {
    step_ = &step;
    at_ = at;
    waiting_ = at >= analysis_.size();
    uncertain_ = (step.op == Op::kWait && !step.syncs.empty()) || step.repeats;
    reads_state_ = step.op == Op::kAtomic || !step.syncs.empty() || step.repeats;
    if (reads_state_)
      footprint_ = waiting_ ? analysis_.reduction().footprint(step) : *analysis_.footprint(at);
    find_required();
    std::vector<u32> candidates;
    for (u32 other : dependences())
      if (!precedes_required(other)) add_candidates(other, candidates);
    std::sort(candidates.rbegin(), candidates.rend());
    candidates.erase(std::unique(candidates.begin(), candidates.end()), candidates.end());
    // If a later step is reversed, the reversals of the steps that happen before it are found in that execution.
    std::vector<u32> turned;
    for (u32 other : candidates) {
      if (precedes_required(other)) continue;
      if (!uncertain_ && std::any_of(turned.begin(), turned.end(),
                                     [&](u32 later) { return analysis_.before(other, later); }))
        continue;
      if (reverse(other)) turned.push_back(other);
    }
  }

 private:
  // The steps that precede j in every order: its actor's previous step, and those ordered by structure.
  void find_required() {
    required_.clear();
    if (auto previous = analysis_.previous(std::min(at_, analysis_.size()), step_->actor))
      required_.push_back(*previous);
    // The steps that an atomic operation, or one on an object, read from could have come later; the actor's spawn
    // could not.
    for (u32 earlier : step_->after)
      if (!reads_state_ || !could_read(earlier)) required_.push_back(earlier);
  }
  // Do both touch the same object? The reduction alone does not decide: with one that cuts at every access, a spawn
  // also depends on the first step of its actor.
  bool could_read(u32 earlier) const {
    return dependent(*analysis_.footprint(earlier), footprint_) &&
           dependent(conflict_aware().footprint(execution_.steps[earlier]),
                     conflict_aware().footprint(*step_));
  }
  bool precedes_required(u32 other) const {
    return std::any_of(required_.begin(), required_.end(),
                       [&](u32 must) { return other == must || analysis_.before(other, must); });
  }

  std::vector<u32> dependences() const {
    if (!waiting_ && !uncertain_) return analysis_.dependences(at_);
    std::vector<u32> result;
    if (uncertain_) {
      // The step that enables j is not known, so all dependent steps count, not only the last.
      for (u32 i = 0; i < std::min(at_, analysis_.size()); ++i)
        if (execution_.steps[i].actor != step_->actor && dependent(*analysis_.footprint(i), footprint_))
          result.push_back(i);
    } else if (step_->op == Op::kAcquire) {
      for (const Holding& holding :
           analysis_.holders(step_->object, analysis_.size(), step_->actor, step_->write))
        result.push_back(holding.gained);
    }
    return result;
  }
  // If the lock is held before i, j is disabled there: j must come before the acquisition, unless the holder releases
  // the lock independently of i.
  void add_candidates(u32 other, std::vector<u32>& candidates) const {
    bool held = false;
    if (step_->op == Op::kAcquire)
      for (const Holding& holding : analysis_.holders(step_->object, other, step_->actor, step_->write)) {
        bool after = holding.given == Holding::kNever || holding.given == other ||
                     analysis_.before(other, holding.given);
        if (!after) continue;
        candidates.push_back(holding.gained);
        held = true;
      }
    if (!held) candidates.push_back(other);
  }

  bool reverse(u32 other) {
    u32 end = analysis_.size(), first = other + 1;
    while (first < end && analysis_.before(other, first)) ++first;
    if (first == end ? sink_.needless(other, step_->actor)
                     : !gains(first) && sink_.needless(other, execution_.steps[first].actor))
      return true;
    Reversal reversal;
    reversal.before = other;
    reversal.turned = at_;
    reversal.actor = step_->actor;
    // The order by structure of an object need not be the order of the values that were read.
    reversal.uncertain =
        uncertain_ || (step_->op == Op::kChoice &&
                       std::find(step_->after.begin(), step_->after.end(), other) != step_->after.end());
    for (u32 i = first; i < end; ++i)
      if (!analysis_.before(other, i)) reversal.kept.push_back(i);
    if (step_->op == Op::kAcquire && !drop_open_holders(reversal)) return false;
    for (u32 must : required_)
      if (must > other) reversal.needed.push_back(must);
    sink_.found(std::move(reversal));
    return true;
  }

  // Does the step acquire the lock that j acquires? Then it may have to be left out.
  bool gains(u32 step) const {
    const std::vector<Held>& gained = execution_.steps[step].gained;
    return step_->op == Op::kAcquire && std::any_of(gained.begin(), gained.end(), [&](const Held& held) {
             return held.lock == step_->object;
           });
  }

  // Leaves out acquisitions of the lock among the kept steps that have no release there, with all that happens after
  // them.
  bool drop_open_holders(Reversal& reversal) const {
    std::vector<u32>& kept = reversal.kept;
    auto keeps = [&](u32 step) { return std::binary_search(kept.begin(), kept.end(), step); };
    // Leaving out a step may also leave out another actor's release.
    for (bool changed = true; changed;) {
      changed = false;
      for (const Holding& holding : analysis_.holdings(step_->object)) {
        if (holding.actor == step_->actor || !(holding.write || step_->write)) continue;
        if (holding.given != Holding::kNever && keeps(holding.given)) continue;
        if (holding.gained < reversal.before && holding.given >= reversal.before) return false;
        if (!keeps(holding.gained)) continue;
        if (precedes_required(holding.gained)) return false;
        std::erase_if(kept,
                      [&](u32 i) { return i == holding.gained || analysis_.before(holding.gained, i); });
        changed = true;
      }
    }
    return true;
  }

  const Analysis& analysis_;
  const Execution& execution_;
  ReversalSink& sink_;
  const Step* step_ = nullptr;
  u32 at_ = 0;
  bool waiting_ = false, uncertain_ = false;
  bool reads_state_ = false;  // it reads the state of an object, which others change
  Footprint footprint_;       // of such a step
  std::vector<u32> required_;
};

}  // namespace

void find_reversals(const Analysis& analysis, ReversalSink& sink) {
  Finder finder(analysis, sink);
  const Execution& execution = analysis.execution();
  for (u32 i = 0; i < analysis.size(); ++i) finder.look_at(i, execution.steps[i]);
  for (u32 i = 0; i < execution.waiting.size(); ++i)
    finder.look_at(analysis.size() + i, execution.waiting[i]);
}

}  // namespace heddle::explore
