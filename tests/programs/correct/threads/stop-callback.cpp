// A stop callback runs inside request_stop, or at its registration if the request came first; either way the
// semaphore orders it before the worker's next step.
// expect: clean

#include <semaphore>
#include <stop_token>
#include <thread>

int state;
std::binary_semaphore stopped(0);

static void work(std::stop_token token) {
  std::stop_callback callback(token, [] {
    state = 1;
    stopped.release();
  });
  stopped.acquire();
  state++;
}

int main() {
  std::jthread worker(work);
  worker.request_stop();
  worker.join();
  return state != 2;
}
