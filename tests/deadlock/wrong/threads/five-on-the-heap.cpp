// Five locks in objects on the heap, in a circle.
// expect: deadlock
// length: 5

#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "../../turns.hpp"

struct Account {
  std::mutex mutex;
  long balance = 100;
};

void transfer(Account& from, Account& to) {
  std::lock_guard<std::mutex> first(from.mutex);
  std::lock_guard<std::mutex> second(to.mutex);  // wants: A
  --from.balance, ++to.balance;
}

int main() {
  std::vector<std::unique_ptr<Account>> accounts;
  for (int i = 0; i < 5; ++i) accounts.push_back(std::make_unique<Account>());
  std::vector<std::thread> threads;
  for (int i = 0; i < 5; ++i)
    threads.emplace_back([&, i] {
      Turn turn(i);
      transfer(*accounts[i], *accounts[(i + 1) % 5]);
    });
  for (std::thread& thread : threads) thread.join();
  return 0;
}
