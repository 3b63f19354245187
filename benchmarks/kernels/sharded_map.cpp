// A cache as servers have it: a hash map in shards, each with a std::mutex and a std::unordered_map. std::threads add,
// look up and take out; the nodes of the map are allocated by one thread and freed by another.
#include "../bench.h"

#include <functional>
#include <mutex>
#include <optional>
#include <thread>
#include <unordered_map>
#include <vector>

namespace {

constexpr long kShards = 64;
constexpr long kKeys = 20'000;

class ShardedMap {
 public:
  void add(std::uint64_t key, long amount) {
    Shard& shard = shard_of(key);
    std::lock_guard guard(shard.mutex);
    shard.amounts[key] += amount;
  }
  std::optional<long> find(std::uint64_t key) const {
    const Shard& shard = shard_of(key);
    std::lock_guard guard(shard.mutex);
    const auto found = shard.amounts.find(key);
    if (found == shard.amounts.end()) return std::nullopt;
    return found->second;
  }
  // Removes the key and returns its amount, 0 if it is not there.
  long take(std::uint64_t key) {
    Shard& shard = shard_of(key);
    std::lock_guard guard(shard.mutex);
    const auto found = shard.amounts.find(key);
    if (found == shard.amounts.end()) return 0;
    const long amount = found->second;
    shard.amounts.erase(found);
    return amount;
  }
  long take_all() {
    long sum = 0;
    for (Shard& shard : shards_) {
      std::lock_guard guard(shard.mutex);
      for (const auto& [key, amount] : shard.amounts) sum += amount;
      shard.amounts.clear();
    }
    return sum;
  }

 private:
  struct alignas(64) Shard {
    mutable std::mutex mutex;
    std::unordered_map<std::uint64_t, long> amounts;
  };
  Shard& shard_of(std::uint64_t key) { return shards_[bench::mix(key) % kShards]; }
  const Shard& shard_of(std::uint64_t key) const { return shards_[bench::mix(key) % kShards]; }

  std::vector<Shard> shards_{kShards};
};

struct Balance {
  long added = 0, taken = 0;
  bool positive = true;  // every amount that was found
};

void work(ShardedMap& map, int seed, long operations, Balance& result) {
  bench::Random random(seed);
  Balance balance;
  for (long i = 0; i < operations; ++i) {
    const std::uint64_t key = random.below(kKeys);
    switch (random.below(8)) {
      case 0:
        balance.taken += map.take(key);
        break;
      case 1:
      case 2:
      case 3:
        map.add(key, i + 1);
        balance.added += i + 1;
        break;
      default:
        if (const std::optional<long> amount = map.find(key)) balance.positive &= *amount > 0;
    }
  }
  result = balance;
}

}  // namespace

int main(int argc, char** argv) {
  const long operations = bench::size_argument(argc, argv, 9'000'000, bench::Polynomial{1});
  const int workers = bench::thread_count();
  ShardedMap map;
  std::vector<Balance> balances(workers);
  std::vector<std::thread> threads;
  for (int i = 0; i < workers; ++i)
    threads.emplace_back(work, std::ref(map), i, operations / workers, std::ref(balances[i]));
  for (auto& thread : threads) thread.join();
  Balance total;
  for (const Balance& balance : balances) {
    bench::require(balance.positive, "amounts that are found are positive");
    total.added += balance.added;
    total.taken += balance.taken;
  }
  bench::require(total.added == total.taken + map.take_all(), "what was added was taken or is still there");
}
