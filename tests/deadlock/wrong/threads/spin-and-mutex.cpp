// A spin lock inside a mutex, and the mutex inside the spin lock.
// expect: deadlock

#include <pthread.h>

#include "../../turns.hpp"

pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
pthread_spinlock_t spin;

void* one(void*) {
  Turn turn(0);
  pthread_mutex_lock(&mutex);
  pthread_spin_lock(&spin);  // wants: A
  pthread_spin_unlock(&spin);
  pthread_mutex_unlock(&mutex);
  return nullptr;
}
void* two(void*) {
  Turn turn(1);
  pthread_spin_lock(&spin);
  pthread_mutex_lock(&mutex);  // wants: A
  pthread_mutex_unlock(&mutex);
  pthread_spin_unlock(&spin);
  return nullptr;
}

int main() {
  pthread_spin_init(&spin, 0);
  pthread_t threads[2];
  pthread_create(&threads[0], nullptr, one, nullptr);
  pthread_create(&threads[1], nullptr, two, nullptr);
  for (pthread_t thread : threads) pthread_join(thread, nullptr);
  return 0;
}
