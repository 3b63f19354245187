// One thread changes the links of lists, in libstdc++'s own code, while another one follows them. (The relaxed counter
// lets the second follow the first, but orders nothing.)
// expect: race

#include <atomic>
#include <list>
#include <thread>

std::list<int> grown{1, 2, 3};
std::list<int> shrunk{1, 2, 3};
std::list<int> turned{1, 2, 3};
std::list<int> swapped{1, 2, 3}, swapped_with{4};
std::list<int> spliced{1, 2, 3}, spliced_from{4};
std::atomic<int> changed;
volatile int sink;

void walk(const std::list<int>& list) {
  for (auto at = list.begin(); at != list.end(); ++at) sink = *at;  // race: A B C D E
}

int main() {
  std::thread other([] {
    while (changed.load(std::memory_order_relaxed) < 5) std::this_thread::yield();
    walk(grown);
    walk(shrunk);
    walk(turned);
    walk(swapped);
    walk(spliced);
  });
  grown.push_back(4);  // race: A
  changed.fetch_add(1, std::memory_order_relaxed);
  shrunk.erase(++shrunk.begin());  // race: B
  changed.fetch_add(1, std::memory_order_relaxed);
  turned.reverse();  // race: C
  changed.fetch_add(1, std::memory_order_relaxed);
  swapped.swap(swapped_with);  // race: D
  changed.fetch_add(1, std::memory_order_relaxed);
  spliced.splice(++spliced.begin(), spliced_from);  // race: E
  changed.fetch_add(1, std::memory_order_relaxed);
  other.join();
  return 0;
}
