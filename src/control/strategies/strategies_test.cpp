// Strategies on real threads under the baton. Each execution runs in its own process and returns the order in which
// its threads ran.
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <functional>
#include <set>
#include <string>
#include <thread>

#include "control/guided.hpp"
#include "control/steering.hpp"

namespace heddle::control {
namespace {

std::string g_order;  // guarded by the baton

// Makes four visible steps.
class Thread {
 public:
  explicit Thread(char name) {
    actor_ = create("thread");
    thread_ = std::thread([this, name] {
      begin(actor_);
      for (int i = 0; i < 4; ++i) {
        choose({.op = Op::kChoice, .what = "makes a step"});
        g_order += name;
      }
      end();
    });
  }
  void join() {
    auto over = [](void* actor) { return ended(static_cast<Actor*>(actor)); };
    choose({.op = Op::kWait, .enabled = over, .data = actor_, .what = "joins a thread"});
    thread_.join();
  }

 private:
  Actor* actor_;
  std::thread thread_;
};

// The order of the steps of three threads.
std::string order_with(const SteeringInput& input) {
  int ends[2];
  EXPECT_EQ(pipe(ends), 0);
  const pid_t child = fork();
  if (child == 0) {
    void* at = mmap(nullptr, sizeof(Board), PROT_READ | PROT_WRITE,
                    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    auto* board = static_cast<Board*>(at);
    board->mode = BoardMode::kReplay;
    board->actors = 1;
    static_cast<SteeringInput&>(board->steering) = input;
    start(0);
    on_step = [](u64, Actor* actor, const Pending& pending) { note_step(actor, pending); };
    follow(board, -1);
    Thread a('a'), b('b'), c('c');
    a.join();
    b.join();
    c.join();
    const ssize_t written = write(ends[1], g_order.data(), g_order.size());
    _exit(written == static_cast<ssize_t>(g_order.size()) ? 0 : 1);
  }
  close(ends[1]);
  std::string order(64, 0);
  order.resize(static_cast<usize>(std::max<ssize_t>(0, read(ends[0], order.data(), order.size()))));
  close(ends[0]);
  int status = 0;
  waitpid(child, &status, 0);
  EXPECT_EQ(status, 0);
  EXPECT_EQ(order.size(), 12u);
  return order;
}

SteeringInput with(StrategyId strategy, u64 seed, u32 changes = 0, u32 attempt = 0) {
  SteeringInput input;
  input.strategy = strategy;
  input.seed = seed;
  input.changes = changes;
  input.attempt = attempt;
  input.length = 24;  // including the steps in which threads start and join
  return input;
}

u32 switches_of(const std::string& order) {
  u32 count = 0;
  for (usize i = 1; i < order.size(); ++i) count += order[i] != order[i - 1];
  return count;
}

TEST(Registry, FindsWhatIsDirectedAtAGoal) {
  EXPECT_EQ(directed_at(Goal::kRace), StrategyId::kRaceDirected);
  EXPECT_EQ(directed_at(Goal::kMeet), StrategyId::kRaceDirected);
  EXPECT_EQ(directed_at(Goal::kAtomicity), StrategyId::kAtomicityDirected);
  EXPECT_EQ(directed_at(Goal::kDeadlock), StrategyId::kDeadlockDirected);
  EXPECT_EQ(directed_at(Goal::kNone), StrategyId::kNone);
}

TEST(Strategies, WithoutOneTheChoiceIsGreedy) {
  EXPECT_EQ(order_with(with(StrategyId::kNone, 1)), "aaaabbbbcccc");
}

TEST(Strategies, TheSeedDecidesEverything) {
  std::set<std::string> orders;
  for (u64 seed = 1; seed <= 8; ++seed) {
    const std::string order = order_with(with(StrategyId::kRandom, seed));
    EXPECT_EQ(order_with(with(StrategyId::kRandom, seed)), order);
    orders.insert(order);
  }
  EXPECT_GT(orders.size(), 6u);
}

TEST(Strategies, PctSwitchesOnlyWherePrioritiesChange) {
  u32 most = 0;
  for (u64 seed = 1; seed <= 16; ++seed) {
    EXPECT_EQ(switches_of(order_with(with(StrategyId::kPct, seed))), 2u);
    const u32 switches = switches_of(order_with(with(StrategyId::kPct, seed, 1)));
    EXPECT_LE(switches, 3u);
    most = std::max(most, switches);
  }
  EXPECT_EQ(most, 3u);
}

// d delays add at most d switches: 0 in the first try, then 1, 2, 1, 2, ...
TEST(Strategies, DelaysBoundTheSwitches) {
  EXPECT_EQ(order_with(with(StrategyId::kDelayBounded, 1, 2, 0)), "aaaabbbbcccc");
  for (u32 attempt = 1; attempt <= 4; ++attempt) {
    const u32 delays = attempt % 2 ? 1 : 2;
    u32 most = 0;
    for (u64 seed = 1; seed <= 32; ++seed) {
      const u32 switches = switches_of(order_with(with(StrategyId::kDelayBounded, seed, 2, attempt)));
      EXPECT_LE(switches, 2 + delays);
      most = std::max(most, switches);
    }
    EXPECT_EQ(most, 2 + delays);
  }
}

}  // namespace
}  // namespace heddle::control
