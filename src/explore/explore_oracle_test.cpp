// The explorer against all interleavings of random programs.
//
// The two agree if: the explorer finds a race iff some interleaving of instructions reaches a state in which two
// conflicting accesses are both next. For programs without a race: it finds a deadlock iff one is reachable, and its
// executions are exactly the classes, each once.
//
// HEDDLE_ORACLE_PROGRAMS sets the number of programs, HEDDLE_ORACLE_SEED where their numbers start.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <functional>

#include "explore/certificate_check.hpp"
#include "explore/frontier.hpp"
#include "explore/model/enumerate.hpp"
#include "explore/model/generate.hpp"
#include "explore/order_bound.hpp"
#include "explore/witness.hpp"

namespace heddle::explore {
namespace {

using model::Program;

struct Seen : Listener {
  explicit Seen(const ActorNames& table) : names(table) {}
  bool explored(const Explored& e) override {
    if (!digests.insert(e.analysis.digest(names)).second) twice = true;
    bound.add(e.execution);
    if (!e.races.empty()) {
      const Race& race = e.races.front();
      schedule = actors_of(e.execution, witness(e.analysis, race));
      racing = {e.execution.steps[race.first].actor, e.execution.steps[race.second].actor};
    }
    return true;
  }
  // The race's schedule reproduces it: its last two steps are the racing ones, adjacent.
  std::string witness_problem(Executor& executor) const {
    struct Unguided : Guide {
      ActorNumber next(const Execution&, std::span<const ActorNumber>, std::vector<ActorNumber>&) override {
        return kNobody;
      }
    } guide;
    Execution execution = executor.run({schedule, {}}, guide);
    u32 size = static_cast<u32>(schedule.size());
    if (execution.end == End::kDiverged) return "the witness cannot be followed: " + execution.problem;
    if (std::set{schedule[size - 2], schedule[size - 1]} != racing) return "the witness ends with others";
    for (const Race& race : find_races(Analysis(execution, conflict_aware())))
      if (race.first == size - 2 && race.second == size - 1) return {};
    return "the witness shows no race";
  }
  void problem(const std::string& words) override { problems = words; }
  void restarted(const Stepping&) override { *this = Seen(names.get()); }
  std::reference_wrapper<const ActorNames> names;
  std::set<Digest> digests;
  std::vector<ActorNumber> schedule;
  std::set<ActorNumber> racing;
  bool twice = false;
  std::string problems;
  OrderBound bound;
};

struct Totals {
  u64 programs = 0, racy = 0, deadlocked = 0, classes = 0, blocked = 0, impossible = 0, runs = 0,
      interleavings = 0;
} totals;

// The disagreement, or an empty string.
std::string disagreement(const Program& program, bool count) {
  model::Truth truth = model::enumerate_instructions(program);
  model::ModelExecutor executor(program);
  Seen seen(*executor.names);
  Executor* executors[] = {&executor};
  Outcome outcome = explore(executors, {}, seen);
  if (count) {
    ++totals.programs;
    totals.racy += truth.race;
  }
  if (truth.race != (outcome.verdict == Verdict::kRace))
    return truth.race ? "missed a race" : "made up a race";
  if (truth.race) return seen.witness_problem(executor);
  if (outcome.verdict != Verdict::kComplete) return "not complete: " + seen.problems;
  if (truth.deadlock != (outcome.statistics.deadlocks != 0))
    return truth.deadlock ? "missed a deadlock" : "made up a deadlock";
  if (seen.twice) return "explored a class twice";
  std::set<Digest> classes =
      model::enumerate_orders(program, conflict_aware(), {executor.stepping.split_acquisitions});
  if (seen.digests != classes)
    return "explored " + std::to_string(seen.digests.size()) + " of " + std::to_string(classes.size()) +
           " classes";
  if (outcome.statistics.executions != classes.size()) return "counts wrong";
  // The exploration is complete, so the bound must hold.
  constexpr double kRounding = 1e-9;
  if (seen.bound.log10() + kRounding < std::log10(static_cast<double>(classes.size())))
    return "more classes than the bound says: " + std::to_string(classes.size());
  if (count) {
    totals.deadlocked += truth.deadlock;
    totals.classes += classes.size();
    totals.blocked += outcome.statistics.blocked;
    totals.impossible += outcome.statistics.impossible;
    totals.runs += executor.runs();
  }
  return {};
}

u64 number_from_environment(const char* name, u64 otherwise) {
  const char* words = std::getenv(name);
  return words == nullptr ? otherwise : std::strtoull(words, nullptr, 10);
}

Program numbered_program(u64 number) {
  event::Rng rng(number * 0x9e3779b97f4a7c15ull + 1);
  return model::generate(model::random_shape(rng), rng);
}

// Checks many random programs, a part of the usual number. `judge` returns a disagreement, or an empty string.
void campaign(u64 part, const std::function<std::string(const Program&, u64 number, bool first)>& judge) {
  u64 first = number_from_environment("HEDDLE_ORACLE_SEED", 1);
  u64 programs = number_from_environment("HEDDLE_ORACLE_PROGRAMS", 24000) / part;
  for (u64 number = first; number < first + programs; ++number) {
    Program program = numbered_program(number);
    std::string words = judge(program, number, true);
    if (words.empty()) continue;
    Program small =
        model::shrink(program, [&](const Program& p) { return !judge(p, number, false).empty(); });
    FAIL() << "program " << number << ": " << words << "\nsmallest: " << judge(small, number, false) << "\n"
           << to_code(small);
  }
}

TEST(ExploreOracle, FindsTheRacesDeadlocksAndClassesOfRandomPrograms) {
  campaign(1, [](const Program& program, u64, bool first) { return disagreement(program, first); });
  std::printf("%lu programs, %lu race, %lu deadlock; classes %lu, blocked %lu, impossible %lu, runs %lu\n",
              totals.programs, totals.racy, totals.deadlocked, totals.classes, totals.blocked,
              totals.impossible, totals.runs);
}

// Several executors whose results arrive in any order find the same classes, each once.
std::string disagreement_at_once(const Program& program, u64 seed) {
  event::Rng rng(seed);
  model::ModelExecutor executor(program);
  Seen alone(*executor.names), together(*executor.names);
  Executor* executors[] = {&executor};
  Outcome outcome = explore(executors, {}, alone);
  if (outcome.verdict != Verdict::kComplete) return {};
  Explorer explorer({}, together);
  struct Done {
    Task task;
    Execution execution;
  };
  std::vector<std::unique_ptr<Done>> done;
  u32 workers = rng.between(2, 6);
  while (!explorer.done()) {
    while (done.size() < workers) {
      std::optional<Task> task = explorer.take();
      if (!task) break;
      Execution execution = run(executor, *task, conflict_aware());
      done.push_back(std::make_unique<Done>(Done{std::move(*task), std::move(execution)}));
    }
    if (done.empty()) return "nothing to do, and not done";
    usize which = rng.below(static_cast<u32>(done.size()));
    std::unique_ptr<Done> one = std::move(done[which]);
    done.erase(done.begin() + static_cast<long>(which));
    explorer.give(one->task, one->execution, Analysis(one->execution, conflict_aware()), {});
  }
  if (!together.problems.empty()) return together.problems;
  if (together.twice) return "explored a class twice";
  if (together.digests != alone.digests)
    return "explored " + std::to_string(together.digests.size()) + " of " +
           std::to_string(alone.digests.size()) + " classes";
  return {};
}

TEST(ExploreOracle, SeveralExecutorsFindTheSame) {
  campaign(3, [](const Program& program, u64 number, bool) { return disagreement_at_once(program, number); });
}

// Cancels some executions in the middle.
class Interrupting : public Executor {
 public:
  Interrupting(const Program& program, event::Rng& rng) : executor_(program), rng_(rng) {
    names = executor_.names;
  }
  Execution run(const Prefix& prefix, Guide& guide) override {
    executor_.stepping = stepping;
    Execution execution = executor_.run(prefix, guide);
    if (unwanted && rng_.below(8) == 0) {
      execution.steps.resize(rng_.below(static_cast<u32>(execution.steps.size()) + 1));
      execution.end = End::kAborted;
    }
    return execution;
  }

 private:
  model::ModelExecutor executor_;
  event::Rng& rng_;
};

// An exploration that is interrupted repeatedly and each time resumes from its frontier with new tables, as in a new
// process.
std::string disagreement_when_interrupted(const Program& program, u64 seed) {
  event::Rng rng(seed);
  model::ModelExecutor once(program);
  Seen alone(*once.names);
  Executor* one[] = {&once};
  Outcome whole = explore(one, {}, alone);
  if (whole.verdict != Verdict::kComplete) return {};
  std::set<Digest> digests;
  Options options;
  options.subject = "a program";
  for (;;) {
    Interrupting executor(program, rng);
    Seen seen(*executor.names);
    Executor* executors[] = {&executor};
    Statistics before;
    if (!options.frontier.empty()) before = Frontier::parse_head(options.frontier)->statistics;
    options.most_executions = before.executions + rng.between(1, 3);
    Outcome outcome = explore(executors, options, seen);
    if (outcome.verdict == Verdict::kRefused || !seen.problems.empty())
      return outcome.problem + seen.problems + "\n" + options.frontier;
    for (const Digest& digest : seen.digests)
      if (!digests.insert(digest).second) return "explored a class twice\n" + options.frontier;
    options.frontier = outcome.frontier;
    if (outcome.verdict != Verdict::kComplete) continue;
    const Statistics &a = whole.statistics, &b = outcome.statistics;
    if (digests != alone.digests) return "explored other classes";
    auto counts = [](const Statistics& s) {
      return std::tuple(s.executions, s.blocked, s.impossible, s.deadlocks, s.steps, s.deepest);
    };
    if (counts(a) != counts(b))
      return "other counts: blocked " + std::to_string(a.blocked) + " and " + std::to_string(b.blocked) +
             ", impossible " + std::to_string(a.impossible) + " and " + std::to_string(b.impossible);
    return {};
  }
}

TEST(ExploreOracle, AnInterruptedExplorationEndsWithTheSameCounts) {
  campaign(6, [](const Program& program, u64 number, bool) {
    return disagreement_when_interrupted(program, number);
  });
}

// A certificate holds; one that leaves a class out, or several, does not.
std::string certificate_problem(const Program& program, u64 seed) {
  event::Rng rng(seed);
  model::ModelExecutor executor(program);
  struct Writer : Listener {
    explicit Writer(Executor& e) : executor(e) {}
    bool explored(const Explored& e) override {
      text += lines.line(e, *executor.names);
      return true;
    }
    void restarted(const Stepping&) override { text.clear(), lines = {}; }
    Executor& executor;
    std::string text;
    CertificateLines lines;
  } writer(executor);
  Executor* executors[] = {&executor};
  Outcome outcome = explore(executors, {}, writer);
  if (outcome.verdict != Verdict::kComplete) return {};
  CertificateHead head;
  head.program = "a program";
  head.stepping = executor.stepping;
  std::string text =
      certificate_head(head) + writer.text + certificate_tail(outcome.statistics.executions, {"nothing"});

  model::ModelExecutor other(program);
  auto certificate = parse_certificate(text, *other.names);
  if (!certificate) return certificate.error();
  if (to_text(*certificate, *other.names) != text) return "the text changed";
  CheckReport report = check_certificate(*certificate, other, {});
  if (!report.holds()) return report.problem;
  u64 orders = certificate->orders.size();
  for (u64 round = 0; round < std::min<u64>(orders, 4); ++round) {
    Certificate less = *certificate;
    // One, or about half of them.
    if (round < 2)
      less.orders.erase(less.orders.begin() + rng.below(static_cast<u32>(orders)));
    else
      std::erase_if(less.orders, [&](const CertifiedOrder&) { return rng.percent(50); });
    if (less.orders.size() == orders) continue;
    if (check_certificate(less, other, {}).holds())
      return "holds with " + std::to_string(less.orders.size()) + " of " + std::to_string(orders) +
             " classes";
  }
  return {};
}

TEST(ExploreOracle, CertificatesHoldUnlessSomethingIsMissing) {
  campaign(12, [](const Program& program, u64 number, bool) { return certificate_problem(program, number); });
}

// After a race the classes are no longer exact, but an exploration that continues must still terminate.
TEST(ExploreOracle, GoesOnAfterRacesAndEnds) {
  u64 first = number_from_environment("HEDDLE_ORACLE_SEED", 1);
  u64 programs = number_from_environment("HEDDLE_ORACLE_PROGRAMS", 24000) / 12;
  for (u64 number = first; number < first + programs; ++number) {
    event::Rng rng(number);
    model::Shape shape = model::random_shape(rng);
    shape.protected_percent = 30;
    shape.branch = 5;
    Program program = model::generate(shape, rng);
    model::ModelExecutor executor(program);
    Seen seen(*executor.names);
    Executor* executors[] = {&executor};
    Options options;
    options.keep_going = true;
    Outcome outcome = explore(executors, options, seen);
    ASSERT_EQ(outcome.statistics.racy != 0, model::enumerate_instructions(program).race) << to_code(program);
    ASSERT_NE(outcome.verdict, Verdict::kBound) << to_code(program);
  }
}

// Three actors with three sections each, all in conflict: 9! / (3! 3! 3!) classes, and a tree of few paths.
TEST(Explore, MemoryIsBoundedByDepthNotByExecutions) {
  using model::Kind;
  model::Body body;
  for (int i = 0; i < 3; ++i)
    body.insert(body.end(), {{Kind::kLock, 0}, {Kind::kRead, 0}, {Kind::kWrite, 0, 1}, {Kind::kUnlock, 0}});
  model::ModelExecutor executor(Program{{{{Kind::kSpawn, 1}, {Kind::kSpawn, 1}, {Kind::kSpawn, 1}}, body}});
  Seen seen(*executor.names);
  Executor* executors[] = {&executor};
  Outcome outcome = explore(executors, {}, seen);
  EXPECT_EQ(outcome.statistics.executions, 1680u);
  EXPECT_EQ(executor.runs(), 1680u);
  EXPECT_LT(outcome.statistics.most_nodes, 5 * outcome.statistics.deepest);
}

// Other reductions give the same verdict, with exactly as many executions as their classes, and never fewer than
// ours.
TEST(ExploreOracle, OtherReductionsNeedTheirClasses) {
  u64 first = number_from_environment("HEDDLE_ORACLE_SEED", 1);
  u64 programs = number_from_environment("HEDDLE_ORACLE_PROGRAMS", 24000) / 24;
  u64 total[4] = {};
  for (u64 number = first; number < first + programs; ++number) {
    event::Rng rng(number);
    model::Shape shape = model::random_shape(rng);
    shape.actors = std::min(shape.actors, 3u);
    shape.instructions = std::min(shape.instructions, 3u);
    Program program = model::generate(shape, rng);
    u64 ours = 0;
    bool race = model::enumerate_instructions(program).race;
    for (usize r = 0; r < reductions().size(); ++r) {
      const Reduction& reduction = *reductions()[r];
      bool cut = reduction.cuts() == Reduction::Cuts::kAccesses;
      model::ModelExecutor executor(program, cut);
      Seen seen(*executor.names);
      Executor* executors[] = {&executor};
      Options options;
      options.reduction = &reduction;
      Outcome outcome = explore(executors, options, seen);
      ASSERT_EQ(outcome.verdict == Verdict::kRace, race) << reduction.name() << "\n" << to_code(program);
      if (race) continue;
      ASSERT_EQ(outcome.verdict, Verdict::kComplete) << seen.problems << "\n" << to_code(program);
      ASSERT_FALSE(seen.twice) << reduction.name() << "\n" << to_code(program);
      ASSERT_EQ(seen.digests,
                model::enumerate_orders(program, reduction, {executor.stepping.split_acquisitions, cut}))
          << reduction.name() << "\n"
          << to_code(program);
      if (r == 0) ours = outcome.statistics.executions;
      ASSERT_LE(ours, outcome.statistics.executions) << reduction.name() << "\n" << to_code(program);
      total[r] += outcome.statistics.executions;
    }
  }
  std::printf("executions: ours %lu, cg %lu, gpr %lu, prd %lu\n", total[0], total[1], total[2], total[3]);
}

// Found by the tests above, reduced to the smallest program.

TEST(ExploreRegression, AnActorThatBeginsWithAnAtomicOperationIsStillSpawnedFirst) {
  using model::Kind;
  EXPECT_EQ(disagreement(Program{{
                             {{Kind::kAtomicRead, 3, 1}, {Kind::kSpawn, 1}},
                             {{Kind::kAtomicAdd, 3, 1}},
                         }},
                         false),
            "");
}

// A trial must find the nodes that it enters.
TEST(ExploreRegression, WhatIsTriedEntersABranchThatIsDone) {
  using model::Kind;
  EXPECT_EQ(disagreement(Program{{
                             {{Kind::kSpawn, 1}, {Kind::kSpawn, 2}, {Kind::kPost, 0}, {Kind::kWait, 0}},
                             {{Kind::kLock, 0}, {Kind::kRead, 0, 2}, {Kind::kUnlock, 0}},
                             {{Kind::kLock, 0},
                              {Kind::kWrite, 0, 1},
                              {Kind::kUnlock, 0},
                              {Kind::kLock, 0},
                              {Kind::kWrite, 0, 1},
                              {Kind::kUnlock, 0},
                              {Kind::kWait, 0}},
                         }},
                         false),
            "");
}

// The steps that a reversal kept must be analysed again: in the new order they have other races.
TEST(ExploreRegression, ReversalsOfWhatWasKeptAreFound) {
  using model::Kind;
  EXPECT_EQ(
      disagreement(
          Program{{
              {{Kind::kSpawn, 1}, {Kind::kSpawn, 2}, {Kind::kSpawn, 3}, {Kind::kLock, 0}, {Kind::kUnlock, 0}},
              {{Kind::kLock, 1}, {Kind::kUnlock, 1}},
              {{Kind::kTryLock, 1}, {Kind::kUnlock, 1}},
              {{Kind::kLock, 0}, {Kind::kUnlock, 0}},
          }},
          false),
      "");
}

// A reversal must keep steps that it does not need: one reader before the writer, the other after it.
TEST(ExploreRegression, AWriterBetweenTwoReaders) {
  using model::Kind;
  EXPECT_EQ(disagreement(Program{{
                             {{Kind::kSpawn, 1},
                              {Kind::kSpawn, 2},
                              {Kind::kLock, 0, 0, false},
                              {Kind::kRead, 0, 1},
                              {Kind::kUnlock, 0}},
                             {{Kind::kLock, 0, 0, false}, {Kind::kRead, 0, 1}, {Kind::kUnlock, 0}},
                             {{Kind::kLock, 0}, {Kind::kWrite, 0, 1}, {Kind::kUnlock, 0}},
                         }},
                         false),
            "");
}

TEST(ExploreRegression, ASectionOfTwoStepsBetweenTwoOthers) {
  using model::Kind;
  EXPECT_EQ(disagreement(Program{{
                             {{Kind::kSpawn, 1}, {Kind::kSpawn, 2}, {Kind::kLock, 0}, {Kind::kUnlock, 0}},
                             {{Kind::kLock, 0}, {Kind::kLock, 1}, {Kind::kUnlock, 1}, {Kind::kUnlock, 0}},
                             {{Kind::kLock, 0}, {Kind::kUnlock, 0}},
                         }},
                         false),
            "");
}

TEST(ExploreRegression, AWriterOvertakesAReaderThatWaitsForAnAtomic) {
  using model::Kind;
  EXPECT_EQ(
      disagreement(
          Program{{
              {{Kind::kSpawn, 1},
               {Kind::kSpawn, 2},
               {Kind::kLock, 2, 0, false},
               {Kind::kAtomicWrite, 2, 2},
               {Kind::kUnlock, 2}},
              {{Kind::kLock, 2, 0, false}, {Kind::kUnlock, 2}},
              {{Kind::kAtomicRead, 2, 1}, {Kind::kLock, 2}, {Kind::kAtomicAdd, 2, 2}, {Kind::kUnlock, 2}},
          }},
          false),
      "");
}

// A sequence that is too short to wake a sleep-set member must not count as explored: the steps that follow wake it.
TEST(ExploreRegression, WhatFollowsASequenceDecidesWhetherItIsExploredElsewhere) {
  using model::Kind;
  EXPECT_EQ(disagreement(Program{{
                             {{Kind::kSpawn, 1}, {Kind::kLock, 0}, {Kind::kUnlock, 0}},
                             {{Kind::kSpawn, 2}, {Kind::kLock, 1}, {Kind::kUnlock, 1}},
                             {{Kind::kSpawn, 3}, {Kind::kTryLock, 1}, {Kind::kUnlock, 1}},
                             {{Kind::kTryLock, 0},
                              {Kind::kJumpUnless, 5, 1},
                              {Kind::kLock, 1},
                              {Kind::kUnlock, 1},
                              {Kind::kUnlock, 0}},
                         }},
                         false),
            "");
}

// A lock that is held at the earlier position may be released anyway.
TEST(ExploreRegression, AnAcquisitionBetweenAReleaseAndATurn) {
  using model::Kind;
  Program program{{
      {{Kind::kSpawn, 1}, {Kind::kSpawn, 2}, {Kind::kTryLock, 0}, {Kind::kUnlock, 0}},
      {{Kind::kTryLock, 0}, {Kind::kUnlock, 0}, {Kind::kPost, 0}},
      {{Kind::kLock, 0}, {Kind::kUnlock, 0}},
  }};
  model::ModelExecutor executor(program);
  Seen seen(*executor.names);
  Executor* executors[] = {&executor};
  Options options;
  options.reduction = &every_region();
  explore(executors, options, seen);
  EXPECT_EQ(seen.digests, model::enumerate_orders(program, every_region(), {true}));
}

// Two races between the same two steps: the reported one has its witness.
TEST(ExploreRegression, TwoRacesOfTwoReaders) {
  using model::Kind;
  EXPECT_EQ(disagreement(Program{{
                             {{Kind::kSpawn, 1},
                              {Kind::kLock, 0, 0, false},
                              {Kind::kRead, 0},
                              {Kind::kWrite, 2, 1},
                              {Kind::kUnlock, 0}},
                             {{Kind::kLock, 0},
                              {Kind::kWrite, 0},
                              {Kind::kUnlock, 0},
                              {Kind::kLock, 0, 0, false},
                              {Kind::kLock, 2, 0, false},
                              {Kind::kWrite, 2, 2},
                              {Kind::kUnlock, 2},
                              {Kind::kWrite, 0, 1},
                              {Kind::kUnlock, 0}},
                         }},
                         false),
            "");
}

// A step that blocks forever takes part in reversals.
TEST(ExploreRegression, OnePermitForTwo) {
  using model::Kind;
  EXPECT_EQ(disagreement(Program{{
                             {{Kind::kPost, 0}, {Kind::kSpawn, 1}, {Kind::kWait, 0}},
                             {{Kind::kLock, 0, 0, false}, {Kind::kUnlock, 0}, {Kind::kWait, 0}},
                         }},
                         false),
            "");
}

// The variable has the awaited value only between two polls: one order sees it, in another the poll never ends.
TEST(ExploreRegression, APollThatCanMissWhatItWaitsFor) {
  using model::Kind;
  const Program program{{
      {{Kind::kSpawn, 1}, {Kind::kAtomicWrite, 3, 1}, {Kind::kAtomicWrite, 3, 3}},
      {{Kind::kAtomicRead, 3}, {Kind::kPause, 0}, {Kind::kJumpUnless, 0, 1}},
  }};
  EXPECT_EQ(disagreement(program, false), "");
  EXPECT_EQ(model::enumerate_orders(program, conflict_aware(), {}).size(), 4u);
}

// With a reduction that cuts at every access, the spawning step depends on the first step of the new actor. It must
// come first nevertheless.
TEST(ExploreRegression, AnActorIsSpawnedFirstWhateverTheReduction) {
  using model::Kind;
  const Program program{{
      {{Kind::kWrite, 2}, {Kind::kSpawn, 1}, {Kind::kLock, 0}, {Kind::kRead, 0}, {Kind::kUnlock, 0}},
      {{Kind::kAtomicRead, 4, 1}},
  }};
  model::ModelExecutor executor(program, true);
  Seen seen(*executor.names);
  Executor* executors[] = {&executor};
  Options options;
  options.reduction = &every_access();
  EXPECT_EQ(explore(executors, options, seen).verdict, Verdict::kComplete) << seen.problems;
}

// Both ways to count classes agree.
TEST(ExploreOracle, ClassesAreWhatSwapsOfNeighboursReach) {
  u64 first = number_from_environment("HEDDLE_ORACLE_SEED", 1), compared = 0;
  for (u64 number = first; compared < 2000; ++number) {
    event::Rng rng(number);
    model::Shape shape = model::random_shape(rng);
    shape.actors = 2;
    shape.instructions = 4;
    Program program = model::generate(shape, rng);
    if (model::enumerate_instructions(program).race) continue;
    ++compared;
    for (bool split : {false, true}) {
      model::Classes classes = model::enumerate_interleavings(program, conflict_aware(), {split});
      ASSERT_TRUE(classes.closed) << to_code(program);
      ASSERT_EQ(classes.classes, model::enumerate_orders(program, conflict_aware(), {split}).size())
          << to_code(program);
    }
  }
}

}  // namespace
}  // namespace heddle::explore
