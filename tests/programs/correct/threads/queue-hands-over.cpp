// A queue guarded by a mutex and a condition variable: an item is written before it is pushed and used after
// it is popped. Only the lock order stands between the two, but it does so in every schedule.
// expect: clean

#include <condition_variable>
#include <mutex>
#include <thread>

struct Item {
  int value;
  Item* next;
};
std::mutex lock;
std::condition_variable filled;
Item* first;

static void push(Item* item) {
  std::lock_guard<std::mutex> guard(lock);
  item->next = first;
  first = item;
  filled.notify_one();
}

static Item* pop() {
  std::unique_lock<std::mutex> guard(lock);
  while (!first) filled.wait(guard);
  Item* item = first;
  first = item->next;
  return item;
}

int main() {
  std::thread producer([] {
    for (int i = 1; i <= 10; i++) push(new Item{i, nullptr});
  });
  int sum = 0;
  for (int i = 0; i < 10; i++) {
    Item* item = pop();
    item->value *= 2;
    sum += item->value;
    delete item;
  }
  producer.join();
  return sum != 110;
}
