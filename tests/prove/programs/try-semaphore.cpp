// prove: crash
// A permit that is there in the first order need not be there in all.
#include <semaphore.h>

#include <cassert>
#include <thread>

sem_t permits;

int main() {
  sem_init(&permits, 0, 0);
  std::thread other([] { assert(sem_trywait(&permits) == 0); });
  sem_post(&permits);
  other.join();
}
