// request_stop orders what came before it; what main writes after it races with the worker's last write.
// expect: race

#include <sched.h>

#include <thread>

int result;

static void work(std::stop_token stop) {
  while (!stop.stop_requested()) sched_yield();
  result = 1;  // race: A
}

int main() {
  std::jthread worker(work);
  worker.request_stop();
  result = 2;  // race: A
  return 0;
}
