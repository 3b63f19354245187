// Plain C++ threads. The writer takes the mutex, the reader forgets it (with -DFIXED it does not).
#include <cstdio>
#include <mutex>
#include <thread>

struct Account {
  std::mutex mutex;
  long balance = 0;
};

static void deposit(Account& account) {
  for (int i = 0; i < 100; ++i) {
    std::lock_guard guard(account.mutex);
    account.balance += 10;
  }
}

static long look(Account& account) {
#ifdef FIXED
  std::lock_guard guard(account.mutex);
#endif
  return account.balance;
}

static Account account;

int main() {
  std::thread worker(deposit, std::ref(account));
  std::printf("meanwhile %ld\n", look(account));
  worker.join();
  std::printf("at the end %ld\n", account.balance);
}
