// prove: crash
// The permit may come in time, or too late.
#include <semaphore.h>
#include <time.h>

#include <cassert>
#include <thread>

sem_t permits;

int main() {
  sem_init(&permits, 0, 0);
  std::thread other([] { sem_post(&permits); });
  timespec until;
  clock_gettime(CLOCK_REALTIME, &until);
  until.tv_sec += 3600;
  assert(sem_timedwait(&permits, &until) == 0);
  other.join();
}
