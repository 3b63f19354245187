// prove: race
// The object begins with a mutex: two locks, at one address.
#include <heddle/async.hpp>
#include <mutex>

struct Account {
  std::mutex mutex;
  int amount = 0;
} account;

int main() {
  heddle::finish([] {
    heddle::async([] { heddle::isolated(account, [] { ++account.amount; }); });
    heddle::async([] {
      std::lock_guard guard(account.mutex);
      ++account.amount;
    });
  });
}
