// std::atomic of a sixteen-byte structure: stored with release, loaded with acquire, it hands the data over.
// expect: clean
// flags: -mcx16 -latomic

#include <sched.h>

#include <atomic>
#include <thread>

struct alignas(16) Span {
  int* begin;
  long length;
};
std::atomic<Span> published;
int data[4];

static void post() {
  data[0] = 40;
  data[3] = 2;
  published.store(Span{data, 4}, std::memory_order_release);
}

int main() {
  std::thread thread(post);
  Span span;
  while (!(span = published.load(std::memory_order_acquire)).begin) sched_yield();
  int sum = span.begin[0] + span.begin[span.length - 1];
  thread.join();
  return sum != 42;
}
