// prove: crash
// options: --every-serial-thread
// Any of those that come to a barrier may be its serial thread, not only the last.
#include <pthread.h>

#include <cassert>
#include <thread>

pthread_barrier_t barrier;

int main() {
  pthread_barrier_init(&barrier, nullptr, 2);
  std::thread other([] { pthread_barrier_wait(&barrier); });
  const bool serial = pthread_barrier_wait(&barrier) == PTHREAD_BARRIER_SERIAL_THREAD;
  other.join();
  assert(!serial);
}
