// Transfers among accounts (std::thread), each under the locks of both, in the order of their numbers: locks inside
// of locks, thousands of pairs, and no deadlock.
#include "../bench.h"

#include <algorithm>
#include <mutex>
#include <thread>
#include <vector>

namespace {

constexpr std::size_t kAccounts = 64;

struct Account {
  std::mutex guard;
  long money = 1000;
};

void transfer(std::vector<Account>& accounts, std::size_t from, std::size_t to) {
  std::lock_guard first(accounts[std::min(from, to)].guard);
  std::lock_guard second(accounts[std::max(from, to)].guard);
  accounts[from].money -= 1;
  accounts[to].money += 1;
}

}  // namespace

int main(int argc, char** argv) {
  const long transfers = bench::size_argument(argc, argv, 2'000'000, bench::Polynomial{1});
  const int threads = bench::thread_count();
  std::vector<Account> accounts(kAccounts);
  std::vector<std::thread> workers;
  for (int worker = 0; worker < threads; ++worker)
    workers.emplace_back([&, worker] {
      for (long i = worker; i < transfers; i += threads) {
        const std::uint64_t random = bench::mix(static_cast<std::uint64_t>(i));
        const std::size_t from = random % kAccounts, step = 1 + random / kAccounts % (kAccounts - 1);
        transfer(accounts, from, (from + step) % kAccounts);
      }
    });
  for (std::thread& worker : workers) worker.join();
  long sum = 0;
  for (const Account& account : accounts) sum += account.money;
  bench::require(sum == 1000 * static_cast<long>(kAccounts), "money is lost");
  return 0;
}
