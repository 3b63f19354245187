// prove: crash
// What a semaphore's value is depends on who has posted already.
#include <semaphore.h>

#include <cassert>
#include <thread>

sem_t semaphore;

int main() {
  sem_init(&semaphore, 0, 0);
  std::thread other([] { sem_post(&semaphore); });
  int value = 0;
  sem_getvalue(&semaphore, &value);
  assert(value == 0);
  other.join();
}
