// A semaphore of two used as if it were a mutex. A relaxed rendezvous makes sure that both threads are inside
// at once, so no post can come before the other's wait.
// expect: race

#include <sched.h>
#include <semaphore.h>

#include <atomic>
#include <thread>

static sem_t permits;
int counter;
std::atomic<int> inside;

static void worker() {
  sem_wait(&permits);
  inside.fetch_add(1, std::memory_order_relaxed);
  while (inside.load(std::memory_order_relaxed) < 2) sched_yield();
  counter++;  // race: A
  sem_post(&permits);
}

int main() {
  sem_init(&permits, 0, 2);
  std::thread one(worker), two(worker);
  one.join();
  two.join();
  sem_destroy(&permits);
  return counter != 1 && counter != 2;
}
