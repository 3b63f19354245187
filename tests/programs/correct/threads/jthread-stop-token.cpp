// What main wrote before request_stop comes before what the worker does once it has seen the request; the
// destructor of the jthread joins.
// expect: clean

#include <sched.h>

#include <thread>

int limit, result;

int main() {
  {
    std::jthread worker([](std::stop_token stop) {
      while (!stop.stop_requested()) sched_yield();
      result = limit + 1;
    });
    limit = 41;
    worker.request_stop();
  }
  return result != 42;
}
