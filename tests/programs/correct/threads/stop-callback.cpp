// A stop callback runs inside request_stop, in the thread that calls it; the worker waits for its signal.
// expect: clean

#include <semaphore>
#include <stop_token>
#include <thread>

int state;
std::binary_semaphore stopped(0);

int main() {
  std::stop_source source;
  std::jthread worker([token = source.get_token()] {
    std::stop_callback callback(token, [] {
      state = 1;
      stopped.release();
    });
    stopped.acquire();
    state++;
  });
  source.request_stop();
  worker.join();
  return state != 2;
}
