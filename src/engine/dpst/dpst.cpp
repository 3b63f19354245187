#include "engine/dpst/dpst.hpp"

#include <algorithm>

#include "base/memory.hpp"
#include "checker/race/race_checker.hpp"
#include "engine/locksets.hpp"
#include "engine/paged.hpp"
#include "order/builder/order_builder.hpp"

namespace heddle::engine {
namespace {

using race::Cell;

class Dpst final : public Engine {
 public:
  explicit Dpst(const Options& options)
      : options_(options), structure_(*memory::make<order::Structure>()), builder_(structure_) {}
  ~Dpst() override {
    shadow_.for_each([](Cells& cells, u64) {
      for (Cell& cell : cells.at) race::release(cell);
    });
  }

  void add(const event::Event& event) override {
    builder_.add(event);
    changed();
    std::visit(event::Handlers{
                   [&](const event::Access& e) {
                     judge({e.address, e.size, e.write, e.atomic, e.site}, strand_of(e.task), e.bound);
                   },
                   [&](const event::NewMemory& e) { new_memory(e.address, e.size); },
                   [&](const event::Acquire& e) {
                     Held& held = held_of(e.task);
                     held.locks = locksets_.with(held.locks, e.lock, e.write);
                   },
                   [&](const event::Release& e) {
                     Held& held = held_of(e.task);
                     held.locks = locksets_.without(held.locks, e.lock);
                   },
                   [&](const event::Bind& e) { held_of(e.task).bound = true; },
                   // The structure has handled the ordering events.
                   [](const event::OneOf<event::Spawn, event::Begin, event::End, event::JoinThread,
                                         event::WaitChildren, event::WaitDepend, event::GroupOpen,
                                         event::GroupClose, event::Fork, event::TeamBegin, event::WorkBegin,
                                         event::BarrierArrive, event::BarrierLeave, event::Join,
                                         event::Signal, event::Await, event::DetachThread> auto&) {},
               },
               event);
  }

  void memory(u32 task, std::span<const history::Record> records) override {
    const Strand strand = strand_of(task);
    for (const history::Record& record : records) {
      if (record.op != history::Op::kAccess) {
        new_memory(record.address, record.a);
        continue;
      }
      judge({record.address, record.size, (record.flags & history::kWriteFlag) != 0,
             (record.flags & history::kAtomicFlag) != 0, record.a},
            strand, (record.flags & history::kBoundFlag) != 0);
    }
  }

  bool done() const override { return options_.first_race && !races.empty(); }
  usize memory_used() const override { return heddle::memory::mapped_bytes() + shadow_.memory(); }
  std::vector<Counter> counters() const override {
    return {{"accesses", accesses_},
            {"repeated", repeated_},
            {"predicted races", predicted_.races().size()},
            {"tasks", structure_.task_count()}};
  }

  // The context of RaceChecker; see there.
  order::Task* find(order::TaskId id) const { return structure_.find(id); }
  bool obsolete(const race::Access& access) const {
    return structure_.before_quiescent_point(access.task(), access.index());
  }
  bool before_by_structure(const race::Access& access) {
    return access.index() <= known(access.task()).by_structure;
  }
  bool before_in_full(const race::Access& access) { return access.index() <= known(access.task()).in_full; }
  bool share_a_lock(u32 a, u32 b) { return locksets_.exclude_each_other(a, b); }
  bool subset(u32 a, u32 b) { return locksets_.subset(a, b); }
  bool thread_bound(const race::Access& earlier, const race::Access& now) const {
    return earlier.bound() && now.bound() &&
           find(earlier.task())->thread.load() == find(now.task())->thread.load();
  }
  race::StandsFrom stands_from(const race::Access& access) const {
    return race::stands_from(*find(access.task()), *task_);
  }
  race::StandsFrom stands_from(const race::Access& y, const race::Access& x) const {
    return race::stands_from(*find(y.task()), *find(x.task()));
  }
  u32& position(const race::AccessList&, const race::Access&) { return position_; }
  void race(const race::Access& earlier, const race::Access& now, race::Evidence evidence) {
    u64 both = earlier.bytes() & now.bytes();
    RaceLog& log = evidence == race::Evidence::kCertain ? races : predicted_;
    log.add({earlier.site(), earlier.write(), earlier.atomic()}, {now.site(), now.write(), now.atomic()},
            cell_, both);
  }

 private:
  struct Cells {
    Cell at[8];
  };
  struct Held {
    Lockset locks = 0;
    bool bound = false;
  };
  struct Strand {
    order::Task* task;
    u64 word;
    Held held;
    bool alone;
  };
  // What the current strand knows of a task; recomputed after any change of the order.
  struct Known {
    order::TaskId task = 0;
    u64 when = 0;
    order::Index by_structure = 0, in_full = 0;
  };

  void changed() {
    ++when_;
    task_ = nullptr;
  }
  Held& held_of(u32 task) {
    if (task >= held_.size()) held_.resize(task + 1);
    return held_[task];
  }
  Strand strand_of(u32 number) {
    order::Task& task = builder_.task(number);
    if (&task != task_) ++when_;
    task_ = &task;
    return {&task, race::strand_word(task.id, task.now), held_of(number), structure_.quiescent(task)};
  }
  const Known& known(order::TaskId id) {
    Known& entry = known_[id % kKnown];
    if (entry.when != when_ || entry.task != id) {
      const order::Task& earlier = *find(id);
      entry = {id, when_, structure_.known_by_structure(earlier, *task_),
               structure_.known_in_full(earlier, *task_)};
    }
    return entry;
  }

  void judge(const Access& a, const Strand& strand, bool bound) {
    ++accesses_;
    if (strand.alone) return;  // nothing before or after can race with it
    u64 flags = 0;
    if (a.write) flags |= race::kWrite;
    if (!a.atomic) flags |= race::kPlain;
    if (bound || strand.held.bound) flags |= race::kBound;
    u64 address = a.address;
    for (u32 left = a.size; left > 0;) {
      u32 offset = address % 8, size = std::min(left, 8 - offset);
      u8 bytes = static_cast<u8>(((1u << size) - 1) << offset);
      cell_ = address - offset;
      Cell& cell = shadow_[address].at[address / 8 % 8];
      race::Access now{strand.word, race::what_word(a.site, strand.held.locks, bytes, flags)};
      // The strand has already made as strong an access here, under the same locks.
      constexpr u64 kSame = race::kLocksetMask | race::kBound;
      if (cell.first.strand == now.strand && race::as_strong(cell.first.what, now.what & race::kDemand) &&
          ((cell.first.what ^ now.what) & kSame) == 0) {
        ++repeated_;
      } else {
        race::RaceChecker<Dpst>::check(cell, now, *this);
      }
      address += size;
      left -= size;
    }
  }

  void new_memory(u64 address, u64 size) {
    if (size == 0) return;
    shadow_.for_range(address & ~u64{7}, size + address % 8, [](Cells& cells, u64, u64 bytes) {
      for (u32 i = 0; i < 8; ++i)
        if (bytes >> (8 * i) & 0xff) {
          race::release(cells.at[i]);
          cells.at[i] = {};
        }
    });
  }

  static constexpr u32 kKnown = 64;

  Options options_;
  order::Structure& structure_;  // never frees its tasks
  order::OrderBuilder builder_;
  const order::Task* task_ = nullptr;
  u32 position_ = 0;
  u64 when_ = 1;
  Known known_[kKnown];
  u64 cell_ = 0;
  Paged<Cells> shadow_;
  Locksets locksets_;
  std::vector<Held> held_;
  RaceLog predicted_;
  u64 accesses_ = 0, repeated_ = 0;
};

}  // namespace

std::unique_ptr<Engine> make_dpst(const Options& options) { return std::make_unique<Dpst>(options); }

}  // namespace heddle::engine
