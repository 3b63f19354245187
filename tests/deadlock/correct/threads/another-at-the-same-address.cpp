// A mutex at the address of one that was destroyed is another mutex.

#include <pthread.h>

#include "../../turns.hpp"

pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;

void* forward(void*) {
  Turn turn(0);
  pthread_mutex_lock(&a);
  pthread_mutex_lock(&b);
  pthread_mutex_unlock(&b);
  pthread_mutex_unlock(&a);
  return nullptr;
}

int main() {
  pthread_t thread;
  pthread_create(&thread, nullptr, forward, nullptr);
  {
    Turn turn(1);
    pthread_mutex_destroy(&b);
    pthread_mutex_init(&b, nullptr);
    pthread_mutex_lock(&b);
    pthread_mutex_lock(&a);
    pthread_mutex_unlock(&a);
    pthread_mutex_unlock(&b);
  }
  pthread_join(thread, nullptr);
  return 0;
}
