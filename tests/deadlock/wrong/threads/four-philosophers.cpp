// Four philosophers, each the fork on the left first: four threads at one line, one cycle of four.
// expect: deadlock
// length: 4

#include <pthread.h>

#include "../../turns.hpp"

enum { N = 4 };
pthread_mutex_t fork_of[N];

void* dine(void* seat) {
  const long left = (long)seat, right = (left + 1) % N;
  Turn turn((int)left);
  pthread_mutex_lock(&fork_of[left]);
  pthread_mutex_lock(&fork_of[right]);  // wants: A
  pthread_mutex_unlock(&fork_of[right]);
  pthread_mutex_unlock(&fork_of[left]);
  return nullptr;
}

int main() {
  pthread_t threads[N];
  for (pthread_mutex_t& each : fork_of) pthread_mutex_init(&each, nullptr);
  for (long i = 0; i < N; ++i) pthread_create(&threads[i], nullptr, dine, (void*)i);
  for (pthread_t thread : threads) pthread_join(thread, nullptr);
  return 0;
}
