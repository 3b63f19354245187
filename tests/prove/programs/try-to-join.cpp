// prove: proved
// assumptions: one-order
// Whether a thread has ended is not explored.
#include <pthread.h>

int main() {
  pthread_t thread;
  pthread_create(
      &thread, nullptr, [](void* unused) { return unused; }, nullptr);
  if (pthread_tryjoin_np(thread, nullptr) != 0) pthread_join(thread, nullptr);
}
