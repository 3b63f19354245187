#include "explore/certificate_check.hpp"

#include <algorithm>
#include <map>
#include <set>

namespace heddle::explore {
namespace {

class Unguided : public Guide {
  ActorNumber next(const Execution&, std::span<const ActorNumber>, std::vector<ActorNumber>&) override {
    return kNobody;
  }
};

// --- dependence, by its definition ----------------------------------------------------------------------------------

// How a step uses a lock: holds it at any time; acquires, releases or tries it (holding it throughout does not
// count); acquires or releases it across the end of the step, or tries it.
struct LockUse {
  bool holds = false, touches = false, changes = false, write = false;
};

// `looks`: include the failed polls that the step repeats; these order steps and nothing else.
std::map<u64, LockUse> lock_uses(const Step& step, bool looks) {
  std::map<u64, LockUse> uses;
  auto use = [&](const Held& held, bool holds, bool touches, bool changes) {
    LockUse& u = uses[held.lock];
    u.holds |= holds, u.touches |= touches, u.changes |= changes, u.write |= held.write;
  };
  for (const Held& held : step.held) use(held, true, false, false);
  for (const Held& held : step.pulsed) use(held, true, true, false);
  for (const Held& held : step.gained) use(held, true, true, true);
  for (const Held& held : step.given) use(held, true, true, true);
  if (step.op == Op::kTryAcquire) use({step.object, step.write}, false, true, true);
  if (looks) {
    for (const Held& held : step.looks.held) use(held, true, false, false);
    for (const Held& tried : step.looks.locks) use(tried, false, true, true);
  }
  return uses;
}

bool common_lock(const Step& a, const Step& b, bool looks) {
  std::map<u64, LockUse> mine = lock_uses(a, looks);
  for (const auto& [lock, use] : lock_uses(b, looks))
    if (auto other = mine.find(lock);
        other != mine.end() && use.holds && other->second.holds && (use.write || other->second.write))
      return true;
  return false;
}

bool overlap(const Access& a, const Access& b) {
  return a.address < b.address + b.size && b.address < a.address + a.size;
}

// `orders`: does the dependence also order the accesses before it (release/acquire)? Locks do, a failed try does not.
// Atomic operations and other objects do so only through the values they read, which are in `after`.
bool depend(const Step& a, const Step& b, bool orders = false) {
  auto failed = [](const Step& step) { return step.op == Op::kTryAcquire && !step.succeeded; };
  std::map<u64, LockUse> mine = lock_uses(a, !orders);
  for (const auto& [lock, use] : lock_uses(b, !orders)) {
    auto other = mine.find(lock);
    if (other == mine.end() || !use.touches || !other->second.touches) continue;
    if (orders && ((failed(a) && a.object == lock) || (failed(b) && b.object == lock))) continue;
    if ((use.write || other->second.write) && (use.changes || other->second.changes)) return true;
  }
  auto syncs = [](const Step& step) {
    std::vector<Sync> all = step.syncs;
    if (step.op == Op::kAtomic) all.push_back({step.object, step.write});
    all.insert(all.end(), step.looks.syncs.begin(), step.looks.syncs.end());
    return all;
  };
  if (!orders)
    for (const Sync& x : syncs(a))
      for (const Sync& y : syncs(b))
        if (x.object == y.object && (x.write || y.write)) return true;
  auto accesses = [&](const Step& step) {
    std::vector<Access> all = step.accesses;
    if (!orders) all.insert(all.end(), step.looks.reads.begin(), step.looks.reads.end());
    return all;
  };
  bool locked = common_lock(a, b, !orders);
  for (const Access& x : accesses(a))
    for (const Access& y : accesses(b))
      if (overlap(x, y) && !x.fresh && !y.fresh && (x.write || y.write) &&
          (locked || (!orders && x.atomic && y.atomic)))
        return true;
  return false;
}

// --- one execution --------------------------------------------------------------------------------------------------

// before[i][j]: i happens before j. A transitive closure, row by row.
using Relation = std::vector<std::vector<bool>>;

// `who`: the program order to use, of actors for schedules or of tasks for accesses.
Relation closure(const Execution& execution, u32 Step::*who) {
  bool orders = who == &Step::task && !execution.knows_by_dependence;
  auto has = [](const std::vector<u32>& all, usize i) {
    return std::find(all.begin(), all.end(), i) != all.end();
  };
  const std::vector<Step>& steps = execution.steps;
  usize size = steps.size();
  Relation before(size, std::vector<bool>(size, false));
  for (usize j = 0; j < size; ++j)
    for (usize i = j; i-- > 0;) {
      if (before[i][j]) continue;
      bool after = has(steps[j].after, i) && !(who == &Step::task && has(steps[j].enabled_by, i));
      if (!after && steps[i].*who != steps[j].*who && !depend(steps[i], steps[j], orders)) continue;
      before[i][j] = true;
      for (usize h = 0; h < i; ++h)
        if (before[h][i]) before[h][j] = true;
    }
  return before;
}

Digest digest_of(const Execution& execution, const Relation& before, const ActorNames& names) {
  Digest sum;
  std::map<ActorNumber, u32> made;
  for (usize j = 0; j < execution.steps.size(); ++j) {
    std::map<ActorNumber, u32> known;
    for (usize i = 0; i < j; ++i)
      if (before[i][j]) ++known[execution.steps[i].actor];
    u64 knows = 0;
    for (auto [actor, steps] : known) knows += digest_known(digest_salt(names.path(actor)), steps);
    const Step& step = execution.steps[j];
    digest_add(sum, digest_salt(names.path(step.actor)), made[step.actor]++, step.op, knows);
  }
  return sum;
}

bool races(const Execution& execution) {
  Relation before = closure(execution, &Step::task);
  const std::vector<Step>& steps = execution.steps;
  for (usize j = 0; j < steps.size(); ++j)
    for (usize i = 0; i < j; ++i) {
      if (before[i][j] || common_lock(steps[i], steps[j], false)) continue;
      for (const Access& x : steps[i].accesses)
        for (const Access& y : steps[j].accesses)
          if (overlap(x, y) && (x.write || y.write) && !(x.atomic && y.atomic) &&
              !(x.bound_to != 0 && x.bound_to == y.bound_to))
            return true;
    }
  return false;
}

class Checker {
 public:
  Checker(const Certificate& certificate, Executor& executor, const CheckOptions& options)
      : certificate_(certificate), executor_(executor), options_(options) {
    for (const CertifiedOrder& order : certificate.orders)
      if (!listed_.insert(order.digest).second) report_.problem = "a class is listed twice";
  }

  CheckReport run() {
    if (certificate_.head.reduction != "ours")
      report_.problem = "only explorations of the reduction 'ours' can be checked";
    else if (listed_.empty())
      report_.problem = "nothing is listed";
    executor_.stepping = certificate_.head.stepping;
    u64 state = options_.seed;
    u64 orders = options_.sample == 0 ? certificate_.orders.size() : options_.sample;
    for (u64 i = 0; i < orders && report_.holds(); ++i) {
      usize which = i;
      if (options_.sample != 0)
        which = digest_mix(state += 0x9e3779b97f4a7c15ull) % certificate_.orders.size();
      check(certificate_.orders[which], which);
    }
    return report_;
  }

 private:
  Execution execute(const std::vector<ActorNumber>& actors) {
    Unguided guide;
    return executor_.run({actors, {}}, guide);
  }

  void check(const CertifiedOrder& order, usize which) {
    auto fail = [&](const std::string& what) {
      report_.problem = "order " + std::to_string(which + 1) + " of " +
                        std::to_string(certificate_.orders.size()) + ": " + what;
    };
    ++report_.orders;
    Execution execution = execute(order.actors);
    if (execution.end == End::kDiverged) return fail("it cannot be executed: " + execution.problem);
    if (execution.steps.size() != order.actors.size()) return fail("it continues beyond its listed steps");
    if (execution.end != order.end) return fail("it does not end as listed");
    Relation before = closure(execution, &Step::actor);
    if (digest_of(execution, before, *executor_.names) != order.digest)
      return fail("its class is not the listed one");
    if (races(execution)) return fail("it has a race");
    const Stepping needs = execution.needs();
    if (needs.split_acquisitions && !executor_.stepping.split_acquisitions)
      return fail("locks are tried, so steps must end after each acquisition");
    if (needs.repeat_polls && !executor_.stepping.repeat_polls)
      return fail("a loop of polls ends by itself, so polls must be repeated");
    if (std::string missing = find_missing(execution, before); !missing.empty()) fail(missing);
  }

  // Tries to reverse every reversible pair of steps.
  std::string find_missing(const Execution& execution, const Relation& before) {
    usize size = execution.steps.size();
    auto step_of = [&](usize j) -> const Step& {
      return j < size ? execution.steps[j] : execution.waiting[j - size];
    };
    for (usize j = 0; j < size + execution.waiting.size(); ++j) {
      const Step& step = step_of(j);
      // The steps that precede it in every order: its actor's previous step, and those ordered by structure.
      std::vector<bool> must(size, false);
      auto require = [&](usize i) {
        must[i] = true;
        for (usize h = 0; h < i; ++h)
          if (before[h][i]) must[h] = true;
      };
      for (usize i = std::min(j, size); i-- > 0;)
        if (execution.steps[i].actor == step.actor) {
          require(i);
          break;
        }
      // The writes that an atomic or semaphore operation read from could have come later.
      for (u32 i : step.after)
        if (!(step.op == Op::kAtomic || step.repeats || !step.syncs.empty()) ||
            !depend(execution.steps[i], step))
          require(i);
      std::vector<bool> others(size, false);
      for (usize i = 0; i < std::min(j, size); ++i)
        // A blocked step comes after all steps: any of them may be what blocks it.
        others[i] = !must[i] && (j >= size || before[i][j]);
      if (std::string words = reverse_all(execution, before, others, j, step.actor); !words.empty())
        return words;
    }
    return {};
  }

  // Tries to place the step before the last of the others. If that is impossible (a lock is held there), before
  // earlier ones as well. At the end before all of them at once: leaving out one alone may leave a lock held by
  // another.
  std::string reverse_all(const Execution& execution, const Relation& before, const std::vector<bool>& others,
                          usize j, ActorNumber actor) {
    usize size = execution.steps.size();
    std::vector<bool> seen(size, false);
    std::vector<usize> open;
    auto add_last = [&](auto&& fits) {
      for (usize i = 0; i < size; ++i) {
        if (seen[i] || !others[i] || !fits(i)) continue;
        bool last = true;
        for (usize k = i + 1; k < size && last; ++k) last = !(others[k] && fits(k) && before[i][k]);
        if (last) seen[i] = true, open.push_back(i);
      }
    };
    add_last([](usize) { return true; });
    while (!open.empty()) {
      usize i = open.back();
      open.pop_back();
      std::vector<bool> out(size, false);
      out[i] = true;
      bool possible = true;
      std::string words = try_without(execution, before, out, j, actor, possible);
      if (!words.empty()) return words;
      if (!possible) add_last([&](usize h) { return before[h][i]; });
    }
    bool possible = true;
    return try_without(execution, before, others, j, actor, possible);
  }

  // Leaves steps out, with all steps that happen after them, and then makes the step of `actor` that was the j-th.
  std::string try_without(const Execution& execution, const Relation& before, std::vector<bool> out, usize j,
                          ActorNumber actor, bool& possible) {
    usize size = execution.steps.size();
    for (usize i = 0; i < size; ++i)
      for (usize k = i + 1; k < size && out[i]; ++k)
        if (before[i][k]) out[k] = true;
    if (j < size) {
      out[j] = true;
      for (usize k = j + 1; k < size; ++k)
        if (before[j][k]) out[k] = true;
    }
    std::vector<ActorNumber> actors;
    for (usize i = 0; i < size; ++i)
      if (!out[i]) actors.push_back(execution.steps[i].actor);
    actors.push_back(actor);
    Digest key;
    for (ActorNumber each : actors) {
      key.high = digest_mix(key.high + each + 1);
      key.low = digest_mix(key.low ^ (each + 0x5851f42d4c957f2dull));
    }
    if (auto known = tried_.find(key); known != tried_.end()) {
      possible = known->second;
      return {};
    }
    ++report_.reversals;
    Execution other = execute(actors);
    possible = tried_[key] = other.end != End::kDiverged;
    if (!possible) {
      ++report_.impossible;
      return {};
    }
    Digest digest = digest_of(other, closure(other, &Step::actor), *executor_.names);
    if (listed_.contains(digest)) return {};
    return "step " + std::to_string(j) + " by " + executor_.names->path(actor) +
           " can be reversed, but the resulting class is not listed";
  }

  const Certificate& certificate_;
  Executor& executor_;
  CheckOptions options_;
  std::set<Digest> listed_;
  std::map<Digest, bool> tried_;  // sequences of actors: was it possible?
  CheckReport report_;
};

}  // namespace

CheckReport check_certificate(const Certificate& certificate, Executor& executor,
                              const CheckOptions& options) {
  Checker checker(certificate, executor, options);
  return checker.run();
}

}  // namespace heddle::explore
