#include "explore/explorer.hpp"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <numeric>
#include <system_error>
#include <thread>

#include "explore/frontier.hpp"

namespace heddle::explore {
namespace {

// Stops a trial at the end of its sequence if the sequence is redundant.
class TrialGuide : public Guide {
 public:
  TrialGuide(const Task& task, const Reduction& reduction) : task_(task), reduction_(reduction) {}
  ActorNumber next(const Execution& so_far, std::span<const ActorNumber> enabled,
                   std::vector<ActorNumber>& avoid) override {
    const Step& last = so_far.steps.at(task_.prefix.size() - 1);
    if (task_.covered(std::make_shared<Footprint>(reduction_.footprint(last)))) return kNobody;
    avoid.clear();
    // Continues greedily, as without a guide.
    ActorNumber current = so_far.steps.back().actor;
    if (std::find(enabled.begin(), enabled.end(), current) != enabled.end()) return current;
    return *std::min_element(enabled.begin(), enabled.end());
  }

 private:
  const Task& task_;
  const Reduction& reduction_;
};

}  // namespace

std::optional<Task> Explorer::take() {
  if (stopped_) return std::nullopt;
  return tree_.take();
}

void Explorer::give(const Task& task, const Execution& execution, const Analysis& analysis,
                    std::span<const Race> races) {
  if (execution.end == End::kAborted) {
    stopped_ = true;
    return tree_.give_back(task);
  }
  bool failed =
      execution.end == End::kCrashed && execution.steps.empty();  // the executor failed, not the program
  if (failed || execution.end == End::kDiverged || execution.steps.size() < task.prefix.size()) {
    tree_.give_up(task);
    if (execution.end == End::kDiverged && task.trial && task.trial->sequence.uncertain()) {
      ++statistics_.impossible;
    } else {
      ++statistics_.diverged;
      listener_.problem(execution.problem.empty() ? "the program does not repeat itself" : execution.problem);
    }
    return;
  }
  Tree::Entered entered = tree_.enter(task, analysis, execution.end != End::kStopped);
  statistics_.most_nodes = std::max<u64>(statistics_.most_nodes, tree_.nodes());
  if (entered == Tree::Entered::kBlocked) ++statistics_.blocked;
  if (entered != Tree::Entered::kNew) return;
  ++statistics_.executions;
  statistics_.steps += execution.steps.size();
  statistics_.deepest = std::max<u64>(statistics_.deepest, execution.steps.size());
  statistics_.deadlocks += execution.end == End::kDeadlock;
  statistics_.crashes += execution.end == End::kCrashed;
  statistics_.racy += !races.empty();
  if (execution.end == End::kTooLong) {
    ++statistics_.too_long;
    listener_.problem(execution.problem);
  }
  if (!listener_.explored({task, execution, analysis, races})) stopped_ = true;
  if (!races.empty() && !options_.keep_going) stopped_ = true;
  if (options_.most_executions != 0 && statistics_.executions >= options_.most_executions && !done())
    stopped_ = true;
}

Statistics Explorer::statistics() const {
  Statistics statistics = statistics_;
  statistics.open = tree_.ready();
  return statistics;
}

std::string Explorer::frontier(const Executor& executor) const {
  FrontierHead head{options_.subject, std::string(options_.reduction->name()), executor.stepping,
                    statistics_};
  return Frontier::to_text(tree_, head, *executor.names);
}

std::optional<Error> Explorer::resume(Executor& executor) {
  auto head = Frontier::parse(options_.frontier, executor, *options_.reduction, tree_);
  if (!head) return Error{head.error()};
  statistics_ = head->statistics;
  return std::nullopt;
}

Execution run(Executor& executor, const Task& task, const Reduction& reduction) {
  TrialGuide guide(task, reduction);
  Prefix prefix{task.prefix, {}};
  if (task.trial) {
    prefix.avoid.resize(executor.names->size());
    std::iota(prefix.avoid.begin(), prefix.avoid.end(), ActorNumber{0});
  }
  return executor.run(prefix, guide);
}

Outcome explore(std::span<Executor* const> executors, const Options& options, Listener& listener) {
  using Clock = std::chrono::steady_clock;
  auto deadline = Clock::now() + std::chrono::duration_cast<Clock::duration>(
                                     std::chrono::duration<double>(options.most_seconds));
  auto explorer = std::make_unique<Explorer>(options, listener);
  std::mutex mutex;
  std::condition_variable changed;
  u32 running = 0;
  bool restart = false, late = false;
  Stepping needed = executors.front()->stepping;
  std::exception_ptr failure;  // of whichever worker had one first: out of memory
  auto unwanted = [&] { return (options.most_seconds > 0 && Clock::now() >= deadline) || listener.stops(); };

  // REQUIRES: the lock is held; `running` counts this worker while it is not.
  auto execute = [&](Executor& executor, std::unique_lock<std::mutex>& lock) {
    for (;;) {
      late = late || unwanted();
      std::optional<Task> task;
      if (!restart && !late && !failure) task = explorer->take();
      if (!task) {
        if (running == 0) return;
        changed.wait(lock);
        continue;
      }
      ++running;
      lock.unlock();
      Execution execution = run(executor, *task, *options.reduction);
      Analysis analysis(execution, *options.reduction, unwanted);
      if (!analysis.is_whole()) execution.end = End::kAborted;
      std::vector<Race> races;
      if (execution.end != End::kStopped && execution.end != End::kDiverged && execution.end != End::kAborted)
        races = find_races(analysis);
      lock.lock();
      --running;
      needed.add(execution.needs());
      restart = needed != executor.stepping;
      if (!restart) explorer->give(*task, execution, analysis, races);
      changed.notify_all();
    }
  };
  auto work = [&](Executor& executor) {
    std::unique_lock lock(mutex);
    try {
      execute(executor, lock);
    } catch (...) {
      if (!lock.owns_lock()) {
        lock.lock();
        --running;
      }
      if (!failure) failure = std::current_exception();
    }
    changed.notify_all();
  };

  if (!options.frontier.empty()) {
    auto refused = [](std::string why, bool damaged = false) {
      return Outcome{Verdict::kRefused, {}, {}, std::move(why), damaged};
    };
    auto head = Frontier::parse_head(options.frontier);
    if (!head) return refused(head.error(), true);
    if (head->subject != options.subject)
      return refused("the frontier is that of '" + head->subject + "', not of '" + options.subject + "'");
    if (head->reduction != options.reduction->name())
      return refused("the frontier is that of the reduction '" + head->reduction + "'");
    for (Executor* executor : executors) executor->stepping = needed = head->stepping;
    bool interrupted = false;
    executors.front()->unwanted = [&] { return interrupted = interrupted || unwanted(); };
    auto error = explorer->resume(*executors.front());
    executors.front()->unwanted = nullptr;
    // Interrupted while it resumed: the frontier is still the one that was given.
    if (error && interrupted) return Outcome{Verdict::kBound, head->statistics, options.frontier, {}};
    if (error) return refused(error->message, true);
  }

  auto all_work = [&] {
    for (Executor* executor : executors) executor->unwanted = unwanted;
    {
      std::vector<std::jthread> threads;  // joined whatever happens
      try {
        for (Executor* executor : executors.subspan(1)) threads.emplace_back(work, std::ref(*executor));
      } catch (const std::system_error&) {
        // As many as the system allows.
      }
      work(*executors.front());
    }
    for (Executor* executor : executors) executor->unwanted = nullptr;
    if (failure) std::rethrow_exception(failure);
  };
  all_work();
  while (restart) {
    restart = false;
    for (Executor* executor : executors) executor->restart(needed);
    listener.restarted(needed);
    explorer = std::make_unique<Explorer>(options, listener);
    all_work();
  }

  Outcome outcome;
  outcome.statistics = explorer->statistics();
  const Statistics& statistics = outcome.statistics;
  if (statistics.racy != 0 && !options.keep_going)
    outcome.verdict = Verdict::kRace;
  else if (explorer->stopped() || late)
    outcome.verdict = Verdict::kBound;
  else if (statistics.diverged != 0 || statistics.too_long != 0 || !explorer->done())
    outcome.verdict = Verdict::kIncomplete;
  if (!explorer->done()) outcome.frontier = explorer->frontier(*executors.front());
  return outcome;
}

}  // namespace heddle::explore
