// prove: proved
// assumptions: signals
// When the thread is cancelled is open: here always before it has come to the end, which the verdict says.
#include <pthread.h>

#include <atomic>
#include <cstdlib>

std::atomic<int> steps{0};

int main() {
  pthread_t thread;
  const auto body = [](void*) -> void* {
    steps = 1;
    pthread_testcancel();
    steps = 2;
    return nullptr;
  };
  pthread_create(&thread, nullptr, body, nullptr);
  pthread_cancel(thread);
  pthread_join(thread, nullptr);
  if (steps == 2) std::abort();
}
