// prove: proved
// assumptions: locks
// A lock that one thread acquires and another releases: what that orders is not known.
#include <pthread.h>

#include <thread>

pthread_spinlock_t lock;

int main() {
  pthread_spin_init(&lock, 0);
  pthread_spin_lock(&lock);
  std::thread other([] { pthread_spin_unlock(&lock); });
  other.join();
}
