// scoped_lock takes both mutexes without deadlock, whatever the order in which they are named.
// expect: clean

#include <mutex>
#include <thread>

struct Account {
  std::mutex lock;
  int balance = 100;
};
Account left, right;

static void transfer(Account& from, Account& to, int amount) {
  std::scoped_lock both(from.lock, to.lock);
  from.balance -= amount;
  to.balance += amount;
}

int main() {
  std::thread one([] { transfer(left, right, 10); });
  std::thread two([] { transfer(right, left, 30); });
  one.join();
  two.join();
  return left.balance != 120 || right.balance != 80;
}
