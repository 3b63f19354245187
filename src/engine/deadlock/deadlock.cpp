#include "engine/deadlock/deadlock.hpp"

#include <algorithm>
#include <map>

#include "base/memory.hpp"
#include "checker/deadlock/strand_now.hpp"
#include "order/builder/order_builder.hpp"

namespace heddle::engine {
namespace {

using deadlock::Acquisition;

class DeadlockEngine final : public Engine {
 public:
  explicit DeadlockEngine(const Options& options)
      : options_(options), structure_(*memory::make<order::Structure>()), builder_(structure_) {}

  void add(const event::Event& event) override {
    builder_.add(event);
    if (auto* acquire = std::get_if<event::Acquire>(&event)) acquired(*acquire);
    if (auto* release = std::get_if<event::Release>(&event))
      std::erase_if(held_[release->task],
                    [&](const Acquisition& held) { return held.lock == release->lock; });
  }
  void memory(u32, std::span<const history::Record>) override {}

  bool done() const override { return options_.first_race && !deadlocks.empty(); }
  usize memory_used() const override { return heddle::memory::mapped_bytes(); }
  std::vector<Counter> counters() const override {
    return {{"nested acquisitions", nested_},
            {"dependencies", relation_.dependencies()},
            {"entries", relation_.entries()}};
  }

 private:
  struct Now : deadlock::StrandNow {
    Now(DeadlockEngine& of, const order::Task& task) : StrandNow(of.structure_, task), engine(of) {}
    void deadlock(const deadlock::Edge* edges, u32 count) const {
      Deadlock cycle;
      for (u32 i = 0; i < count; ++i) {
        const deadlock::Dependency& dependency = *edges[i].dependency;
        cycle.push_back({engine.numbers_[task_of(edges[i].strand)],
                         dependency.wants,
                         {dependency.held, dependency.held + dependency.count}});
      }
      engine.deadlocks.push_back(std::move(cycle));
    }
    DeadlockEngine& engine;
  };

  void acquired(const event::Acquire& e) {
    auto& held = held_[e.task];
    const order::Task& task = builder_.task(e.task);
    const Acquisition wants{e.lock, e.site, e.write};
    auto place =
        std::find_if(held.begin(), held.end(), [&](const auto& each) { return each.lock >= e.lock; });
    if (place != held.end() && place->lock == e.lock) return;
    if (!held.empty() && !e.tries && !structure_.quiescent(task)) {
      ++nested_;
      const u32 dependency = relation_.dependency(wants, held.data(), static_cast<u32>(held.size()));
      deadlock::SyncEpoch& known = been_[{dependency, task.id}];
      if (const deadlock::SyncEpoch now = deadlock::sync_epoch(task); !(known == now)) {
        known = now;
        numbers_[task.id] = e.task;
        Now strand(*this, task);
        relation_.add(dependency, strand);
      }
    }
    held.insert(place, wants);
  }

  Options options_;
  order::Structure& structure_;  // never frees its tasks
  order::OrderBuilder builder_;
  deadlock::Relation relation_;
  std::map<u32, std::vector<Acquisition>> held_;                       // by task, ascending by lock
  std::map<std::pair<u32, order::TaskId>, deadlock::SyncEpoch> been_;  // by dependency and task
  std::map<order::TaskId, u32> numbers_;
  u64 nested_ = 0;
};

}  // namespace

std::unique_ptr<Engine> make_deadlock(const Options& options) {
  return std::make_unique<DeadlockEngine>(options);
}

}  // namespace heddle::engine
