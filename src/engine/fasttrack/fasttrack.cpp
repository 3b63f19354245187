#include "engine/fasttrack/fasttrack.hpp"

#include <algorithm>
#include <cstdlib>
#include <utility>

#include "engine/happens_before.hpp"
#include "engine/paged.hpp"
#include "engine/thread_order.hpp"

namespace heddle::engine {
namespace {

struct Last {
  Epoch epoch = 0;
  u32 site = 0;
};
// An epoch with this bit is the number of a vector of concurrent accesses.
constexpr Epoch kShared = Epoch{1} << 63;

struct State {
  Epoch write = 0, read = 0;
  u32 write_site = 0, read_site = 0;
};

// Concurrent accesses, one entry per chain: sorted by chain while there are few, and indexed by chain (with empty
// entries) as soon as that wastes little, which makes the paper's R[t] = e one store.
class Vector {
 public:
  void set(Epoch epoch, u32 site) {
    const u32 chain = chain_of(epoch);
    if (HEDDLE_LIKELY(dense_ && chain < entries_.size())) {
      entries_[chain] = {epoch, site};
      return;
    }
    set_slowly(chain, {epoch, site});
  }
  void clear() {
    entries_.clear();
    dense_ = false;
  }
  auto begin() const { return entries_.begin(); }
  auto end() const { return entries_.end(); }

 private:
  // At eight of 128 entries a dense vector is two kilobytes, as large as the clocks that a fork of so many tasks
  // copies.
  static constexpr u32 kFew = 8, kWaste = 16;

  void set_slowly(u32 chain, Last last) {
    if (dense_) {  // by doubling, so that it does not grow for each chain
      entries_.resize(std::max<usize>(2 * entries_.size(), chain + 1));
      entries_[chain] = last;
      return;
    }
    auto at = std::lower_bound(entries_.begin(), entries_.end(), chain,
                               [](const Last& each, u32 value) { return chain_of(each.epoch) < value; });
    if (at != entries_.end() && chain_of(at->epoch) == chain) {
      *at = last;
      return;
    }
    entries_.insert(at, last);
    const usize range = chain_of(entries_.back().epoch) + usize{1};
    if (entries_.size() < kFew || range > kWaste * entries_.size()) return;
    std::vector<Last> dense(range);
    for (const Last& each : entries_) dense[chain_of(each.epoch)] = each;
    entries_ = std::move(dense);
    dense_ = true;
  }

  std::vector<Last> entries_;
  bool dense_ = false;
};

// The states of 64 bytes. `shift` is the width of one as a power of two; it only ever gets smaller.
struct States {
  State* at = nullptr;
  u8 shift = 3;
};

// Accesses of one class: atomic, or bound to a thread, or both.
struct Class : States {
  bool atomic = false;
  u32 bound_to = 0;
};
struct Block : States {
  std::vector<Class>* classes = nullptr;
};

template <class Order>
class FastTrack final : public OrderedEngine<FastTrack<Order>, Order> {
 public:
  explicit FastTrack(const Options& options) : options_(options) {}
  ~FastTrack() override {
    shadow_.for_each([&](Block& block, u64) { free_block(block); });
  }

  bool done() const override { return options_.first_race && !this->races.empty(); }
  usize memory_used() const override { return shadow_.memory() + state_bytes_ + vectors_.size() * 64; }
  std::vector<Counter> counters() const override {
    return {{"accesses", accesses_},
            {"same epoch", same_epoch_},
            {"shared reads", shares_},
            {"shared writes", write_shared_},
            {"chains", order_.chains()}};
  }

 private:
  friend class CoreEngine<FastTrack<Order>>;

  using OrderedEngine<FastTrack<Order>, Order>::order_;

  HEDDLE_INLINE void touch(TaskIndex task, const Access& a) {
    ++accesses_;
    u64 address = a.address;
    u32 left = a.size;
    while (left > 0) {
      u32 offset = static_cast<u32>(address % kBlockBytes);
      u32 size = std::min(left, static_cast<u32>(kBlockBytes) - offset);
      Block& block = shadow_[address];
      if (HEDDLE_LIKELY(!a.atomic && !a.bound_to))
        plain(task, block, a, address - offset, offset, size);
      else
        special(task, block, a, address - offset, offset, size);
      address += size;
      left -= size;
    }
  }

  void new_memory(TaskIndex, u64 address, u64 size) override {
    shadow_.for_range(address, size, [&](Block& block, u64, u64 bytes) {
      clear(block, bytes);
      if (block.classes)
        for (Class& special : *block.classes) clear(special, bytes);
    });
  }

  // --- states

  // Makes states at most as wide as this access needs.
  void fit(States& block, u32 offset, u32 size) {
    u8 shift = (offset | size) % 8 == 0 ? 3 : (offset | size) % 4 == 0 ? 2 : 0;
    if (HEDDLE_LIKELY(block.at && block.shift <= shift)) return;
    if (!block.at) {
      block.shift = shift;
      block.at = static_cast<State*>(std::calloc(64u >> shift, sizeof(State)));
      state_bytes_ += (64u >> shift) * sizeof(State);
      return;
    }
    u32 old_count = 64u >> block.shift, parts = 1u << (block.shift - shift);
    auto* states = static_cast<State*>(std::calloc(64u >> shift, sizeof(State)));
    for (u32 i = 0; i < old_count; ++i)
      for (u32 j = 0; j < parts; ++j) {
        State& part = states[i * parts + j] = block.at[i];
        if (j == 0) continue;
        if (part.read & kShared) part.read = copy_vector(part.read);
        if (part.write & kShared) part.write = copy_vector(part.write);
      }
    state_bytes_ += ((64u >> shift) - old_count) * sizeof(State);
    std::free(block.at);
    block.at = states;
    block.shift = shift;
  }

  void clear(State& state) {
    if (state.read & kShared) free_vector(state.read);
    if (state.write & kShared) free_vector(state.write);
    state = {};
  }
  void clear(States& block, u64 bytes) {
    if (!block.at) return;
    u64 width = u64{1} << block.shift;
    // New memory comes in granules of eight bytes, and no state is wider.
    for (u64 i = 0; i < 64; i += width)
      if (bytes >> i & 1) clear(block.at[i >> block.shift]);
  }
  void free_block(Block& block) {
    std::free(block.at);
    if (!block.classes) return;
    for (Class& special : *block.classes) std::free(special.at);
    delete block.classes;
  }

  // --- vectors of concurrent accesses

  Vector& vector_of(Epoch shared) { return vectors_[shared & ~kShared]; }
  Epoch new_vector() {
    if (free_vectors_.empty()) {
      vectors_.emplace_back();
      return kShared | (vectors_.size() - 1);
    }
    Epoch shared = free_vectors_.back();
    free_vectors_.pop_back();
    return shared;
  }
  Epoch copy_vector(Epoch from) {
    Epoch shared = new_vector();
    vector_of(shared) = vector_of(from);
    return shared;
  }
  void free_vector(Epoch shared) {
    vector_of(shared).clear();
    free_vectors_.push_back(shared);
  }

  // Adds an access to those that may be concurrent with each other.
  void remember(TaskIndex task, Epoch now, u32 by, Epoch& epoch, u32& site) {
    if (HEDDLE_LIKELY(!(epoch & kShared))) {
      if (epoch == 0 || order_.before(epoch, task)) {  // exclusive
        epoch = now;
        site = by;
        return;
      }
      ++shares_;
      Epoch shared = new_vector();
      vector_of(shared).set(epoch, site);
      epoch = shared;
    }
    vector_of(epoch).set(now, by);
  }

  void check(TaskIndex task, Epoch epoch, u32 site, Side earlier, const Access& now, u64 base, u64 bytes) {
    if (HEDDLE_LIKELY(!(epoch & kShared))) {
      if (epoch == 0 || HEDDLE_LIKELY(order_.before(epoch, task))) return;
      earlier.site = site;
      return this->races.add(earlier, {now.site, now.write, now.atomic}, base, bytes);
    }
    for (const Last& last : vector_of(epoch)) {
      if (last.epoch == 0 || order_.before(last.epoch, task)) continue;
      earlier.site = last.site;
      this->races.add(earlier, {now.site, now.write, now.atomic}, base, bytes);
    }
  }

  void plain(TaskIndex task, Block& block, const Access& a, u64 base, u32 offset, u32 size) {
    fit(block, offset, size);
    const Epoch now = order_.now(task);
    State* state = block.at + (offset >> block.shift);
    State* end = block.at + ((offset + size) >> block.shift);
    if (HEDDLE_UNLIKELY(block.classes != nullptr)) check_classes(task, *block.classes, a, base, offset, size);
    for (; state != end; ++state) {
      if (state->write == now || (!a.write && state->read == now)) {
        ++same_epoch_;
        continue;
      }
      u64 bytes = bytes_mask(static_cast<u32>(state - block.at) << block.shift, 1u << block.shift);
      check(task, state->write, state->write_site, {0, true, false}, a, base, bytes);
      if (!a.write) {
        remember(task, now, a.site, state->read, state->read_site);
        continue;
      }
      if (state->read != 0) {
        check(task, state->read, state->read_site, {0, false, false}, a, base, bytes);
        if (state->read & kShared) {
          ++write_shared_;
          free_vector(state->read);
        }
        state->read = 0;
        state->read_site = 0;
      }
      state->write = now;
      state->write_site = a.site;
    }
  }

  void special(TaskIndex task, Block& block, const Access& a, u64 base, u32 offset, u32 size) {
    check_states(task, block, {0, false, false}, a, base, offset, size);
    if (!block.classes) block.classes = new std::vector<Class>;
    check_classes(task, *block.classes, a, base, offset, size);
    auto same = [&](const Class& special) {
      return special.atomic == a.atomic && special.bound_to == a.bound_to;
    };
    auto found = std::find_if(block.classes->begin(), block.classes->end(), same);
    if (found == block.classes->end()) {
      block.classes->push_back({{}, a.atomic, a.bound_to});
      found = block.classes->end() - 1;
    }
    fit(*found, offset, size);
    const Epoch now = order_.now(task);
    for (u32 i = offset >> found->shift; i < (offset + size) >> found->shift; ++i) {
      State& state = found->at[i];
      if (a.write)
        remember(task, now, a.site, state.write, state.write_site);
      else
        remember(task, now, a.site, state.read, state.read_site);
    }
  }

  void check_classes(TaskIndex task, std::vector<Class>& classes, const Access& a, u64 base, u32 offset,
                     u32 size) {
    for (Class& special : classes) {
      bool races_with =
          !(special.atomic && a.atomic) && !(special.bound_to && special.bound_to == a.bound_to);
      if (races_with) check_states(task, special, {0, false, special.atomic}, a, base, offset, size);
    }
  }

  void check_states(TaskIndex task, States& states, Side earlier, const Access& a, u64 base, u32 offset,
                    u32 size) {
    if (!states.at) return;
    u32 last = ~0u;
    for (u32 byte = offset; byte < offset + size; ++byte) {
      u32 i = byte >> states.shift;
      if (i == std::exchange(last, i)) continue;
      State& state = states.at[i];
      u64 bytes = bytes_mask(i << states.shift, 1u << states.shift) & bytes_mask(offset, size);
      earlier.write = true;
      check(task, state.write, state.write_site, earlier, a, base, bytes);
      earlier.write = false;
      if (a.write) check(task, state.read, state.read_site, earlier, a, base, bytes);
    }
  }

  Options options_;
  Paged<Block> shadow_;
  std::vector<Vector> vectors_;
  std::vector<Epoch> free_vectors_;
  usize state_bytes_ = 0;
  u64 accesses_ = 0, same_epoch_ = 0, shares_ = 0, write_shared_ = 0;
};

}  // namespace

std::unique_ptr<Engine> make_fasttrack(const Options& options) {
  if (options.on_threads) return std::make_unique<FastTrack<ThreadOrder>>(options);
  return std::make_unique<FastTrack<HappensBefore>>(options);
}

}  // namespace heddle::engine
