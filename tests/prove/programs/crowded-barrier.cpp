// prove: undecided
// Three threads meet two by two: who meets whom is not explored yet.
#include <pthread.h>

#include <thread>

int main() {
  pthread_barrier_t barrier;
  pthread_barrier_init(&barrier, nullptr, 2);
  auto wait = [&] { pthread_barrier_wait(&barrier); };
  std::thread one(wait), two(wait);
  wait();
  wait();
  one.join();
  two.join();
}
