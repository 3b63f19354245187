// prove: proved
// classes: 9
// options: --every-serial-thread
// Three threads, two barriers: one of three is the serial thread, twice.
#include <pthread.h>

#include <thread>

pthread_barrier_t barrier;
int serial = 0;

int main() {
  pthread_barrier_init(&barrier, nullptr, 3);
  auto work = [] {
    for (int i = 0; i < 2; ++i)
      if (pthread_barrier_wait(&barrier) == PTHREAD_BARRIER_SERIAL_THREAD) ++serial;
  };
  std::thread one(work), two(work);
  work();
  one.join();
  two.join();
  return serial != 2;
}
