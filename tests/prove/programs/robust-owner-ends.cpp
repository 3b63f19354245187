// prove: proved
// assumptions: one-order
// A thread ends with a robust mutex: when, is not explored.
#include <pthread.h>

pthread_mutex_t mutex;

int main() {
  pthread_mutexattr_t robust;
  pthread_mutexattr_init(&robust);
  pthread_mutexattr_setrobust(&robust, PTHREAD_MUTEX_ROBUST);
  pthread_mutex_init(&mutex, &robust);
  pthread_t owner;
  pthread_create(
      &owner, nullptr,
      [](void* unused) {
        pthread_mutex_lock(&mutex);
        return unused;
      },
      nullptr);
  pthread_join(owner, nullptr);
  if (pthread_mutex_lock(&mutex) != 0) pthread_mutex_unlock(&mutex);
}
