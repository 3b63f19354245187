// prove: crash
// The permit goes to the holder of the lock, and both tries fail: of the semaphore, then of the lock.
#include <semaphore.h>

#include <cstdlib>
#include <mutex>
#include <thread>

std::mutex mutex;
sem_t permits;

int main() {
  sem_init(&permits, 0, 0);
  std::thread holder([] {
    mutex.lock();
    sem_wait(&permits);
    mutex.unlock();
  });
  sem_post(&permits);
  const bool late = sem_trywait(&permits) != 0;
  if (!late) sem_post(&permits);
  const bool held = !mutex.try_lock();
  if (!held) mutex.unlock();
  holder.join();
  if (late && held) abort();
}
