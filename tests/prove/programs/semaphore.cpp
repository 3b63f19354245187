// prove: proved
// A semaphore of one permit is a lock.
#include <semaphore.h>

#include <thread>

sem_t semaphore;
int count = 0;

int main() {
  sem_init(&semaphore, 0, 1);
  auto work = [] {
    sem_wait(&semaphore);
    ++count;
    sem_post(&semaphore);
  };
  std::thread one(work), two(work);
  one.join();
  two.join();
}
