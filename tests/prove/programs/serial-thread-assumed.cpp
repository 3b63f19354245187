// prove: proved
// classes: 1
// assumptions: serial-thread
// Without the option a barrier costs nothing, and the verdict says what it takes for granted.
#include <pthread.h>

#include <thread>

pthread_barrier_t barrier;
int before = 0, after = 0;

int main() {
  pthread_barrier_init(&barrier, nullptr, 2);
  std::thread other([] {
    before = 1;
    pthread_barrier_wait(&barrier);
  });
  pthread_barrier_wait(&barrier);
  after = before;
  other.join();
}
