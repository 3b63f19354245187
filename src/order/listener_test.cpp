// What Structure reports to its listener is what it was given: the events of random histories come out as they went in.
#include "order/listener.hpp"

#include <gtest/gtest.h>

#include <map>

#include "event/listing.hpp"
#include "event/random/campaign.hpp"
#include "event/random/generate.hpp"
#include "event/random/schedule.hpp"
#include "order/builder/order_builder.hpp"

namespace heddle::order {
namespace {

using namespace event;

// Tasks, teams and objects are numbered at their first event.
class Echo final : public Listener {
 public:
  explicit Echo(Structure& structure) { structure.set_listener(this); }

  void spawned(Task& parent, Task& child, SpawnKind kind) override {
    u32 by = number(parent);
    add(Spawn{by, number(child), kind});
  }
  void ended(Task& task) override { add(End{number(task)}); }
  void joined_thread(Task& task, Task& thread) override { add(JoinThread{number(task), number(thread)}); }
  void waited_for_children(Task& task) override { add(WaitChildren{number(task)}); }
  void opened_group(Task& task) override { add(GroupOpen{number(task)}); }
  void closed_group(Task& task) override { add(GroupClose{number(task)}); }
  void forked(Team& team) override { add(Fork{number(*team.parent), number(teams_, &team)}); }
  void began_in_team(Team& team, Task& task) override {
    add(TeamBegin{number(task), number(teams_, &team), 0});
  }
  void began_team_work(Team& team, Task& task) override {
    add(WorkBegin{number(task), number(teams_, &team), 0});
  }
  void arrived(Team& team, Task& task) override { add(BarrierArrive{number(task), number(teams_, &team)}); }
  void left_barrier(Team& team, Task& before, Task& next) override {
    tasks_[&next] = number(before);
    add(BarrierLeave{number(next), number(teams_, &team)});
  }
  void joined(Team& team) override {
    add(Join{number(*team.parent), number(teams_, &team)});
    teams_.erase(&team);  // its memory may be another's
  }
  void published(Task& task, SyncObject& object, bool replaces) override {
    add(Signal{number(task), number(objects_, &object), replaces});
  }
  void awaited(Task& task, SyncObject& object) override {
    add(Await{number(task), number(objects_, &object)});
  }

  const std::vector<std::string>& heard() const { return heard_; }

 private:
  template <class T>
  u32 number(std::map<const T*, u32>& all, const T* one) {
    auto [at, is_new] = all.try_emplace(one, 0);
    if (is_new) at->second = next_++;
    return at->second;
  }
  u32 number(const Task& task) { return number(tasks_, &task); }
  void add(const Event& event) { heard_.push_back(describe(event)); }

  u32 next_ = 0;
  std::map<const Task*, u32> tasks_;
  std::map<const Team*, u32> teams_;
  std::map<const SyncObject*, u32> objects_;
  std::vector<std::string> heard_;
};

// The same of the history itself: the events that Structure is given, numbered in the same way.
std::vector<std::string> told(const History& history) {
  std::vector<std::string> words;
  std::map<u32, u32> tasks, teams, objects;
  u32 next = 0;
  auto number = [&](std::map<u32, u32>& all, u32 one) {
    auto [at, is_new] = all.try_emplace(one, 0);
    if (is_new) at->second = next++;
    return at->second;
  };
  auto task = [&](u32 one) { return number(tasks, one); };
  auto team = [&](u32 one) { return number(teams, one); };
  auto object = [&](u32 one) { return number(objects, one); };
  auto add = [&](const Event& event) { words.push_back(describe(event)); };
  for (const Event& event : history)
    std::visit(Handlers{
                   [&](Spawn e) {
                     e.task = task(e.task);
                     e.child = task(e.child);
                     e.depends.clear();
                     add(e);
                   },
                   [&](const End& e) { add(End{task(e.task)}); },
                   [&](const JoinThread& e) {
                     u32 by = task(e.task);
                     add(JoinThread{by, task(e.child)});
                   },
                   [&](const WaitChildren& e) { add(WaitChildren{task(e.task)}); },
                   [&](const GroupOpen& e) { add(GroupOpen{task(e.task)}); },
                   [&](const GroupClose& e) { add(GroupClose{task(e.task)}); },
                   [&](const Fork& e) {
                     u32 by = task(e.task);
                     add(Fork{by, team(e.team)});
                   },
                   [&](const TeamBegin& e) {
                     u32 by = task(e.task);
                     add(TeamBegin{by, team(e.team), 0});
                   },
                   [&](const WorkBegin& e) {
                     u32 by = task(e.task);
                     add(WorkBegin{by, team(e.team), 0});
                   },
                   [&](const BarrierArrive& e) {
                     add(BarrierArrive{task(e.task), team(e.team)});
                   },
                   [&](const BarrierLeave& e) {
                     add(BarrierLeave{task(e.task), team(e.team)});
                   },
                   [&](const Join& e) {
                     add(Join{task(e.task), team(e.team)});
                   },
                   [&](const Signal& e) {
                     u32 by = task(e.task);
                     add(Signal{by, object(e.object), e.replace});
                   },
                   [&](const Await& e) {
                     u32 by = task(e.task);
                     add(Await{by, object(e.object)});
                   },
                   // A listener does not hear of these. A new event must be named
                   // here or above.
                   [](const Begin&) {},
                   [](const DetachThread&) {},
                   [](const WaitDepend&) {},
                   [](const Acquire&) {},
                   [](const Release&) {},
                   [](const Bind&) {},
                   [](const Access&) {},
                   [](const NewMemory&) {},
               },
               event);
  return words;
}

class ListenerTest : public testing::TestWithParam<Model> {};

TEST_P(ListenerTest, HearsWhatStructureIsTold) {
  constexpr u64 kPrograms = 1000;
  for (u64 seed = 1; seed <= kPrograms; ++seed) {
    Rng rng(seed);
    event::Run run = schedule(generate(GetParam(), rng), rng);
    auto* structure = memory::make<Structure>();
    Echo echo(*structure);
    OrderBuilder builder(*structure);
    for (const Event& event : run.history) builder.add(event);
    ASSERT_EQ(echo.heard(), told(run.history)) << "program " << seed << "\n" << listing(run.history);
  }
}

INSTANTIATE_TEST_SUITE_P(Models, ListenerTest, testing::ValuesIn(kModels),
                         [](const auto& model) { return std::string(name(model.param)); });

}  // namespace
}  // namespace heddle::order
