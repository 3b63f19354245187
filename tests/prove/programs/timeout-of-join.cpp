// prove: proved
// assumptions: clocks timeouts
// A join with a time limit: that the time is over before the thread has ended is not explored.
#include <pthread.h>
#include <time.h>

int main() {
  pthread_t thread;
  pthread_create(&thread, nullptr, [](void*) -> void* { return nullptr; }, nullptr);
  timespec until;
  clock_gettime(CLOCK_REALTIME, &until);
  until.tv_sec += 1;
  return pthread_timedjoin_np(thread, nullptr, &until);
}
