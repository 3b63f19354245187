// One thread changes the links of ordered containers, in libstdc++'s own code, while another one follows them. (The
// relaxed counter lets the second follow the first, but orders nothing.)
// expect: race

#include <atomic>
#include <map>
#include <set>
#include <thread>

std::map<int, int> searched{{10, 1}, {20, 2}, {30, 3}};
std::set<int> walked{10, 20, 30};
std::set<int> walked_back{10, 20, 30};
std::map<int, int> shrinking{{10, 1}, {20, 2}, {30, 3}, {40, 4}};
std::atomic<int> changed;
volatile int sink;

template <class Iterator>
[[gnu::noinline]] void walk(Iterator at, Iterator end) {
  for (; at != end; ++at) sink = *at;  // race: B C
}

int main() {
  std::thread other([] {
    while (changed.load(std::memory_order_relaxed) < 4) std::this_thread::yield();
    sink = searched.count(50);  // race: A
    walk(walked.begin(), walked.end());
    walk(walked_back.rbegin(), walked_back.rend());  // race: C
    sink = shrinking.count(40);                      // race: D
  });
  searched.emplace(40, 4);  // race: A
  changed.fetch_add(1, std::memory_order_relaxed);
  walked.insert(40);  // race: B
  changed.fetch_add(1, std::memory_order_relaxed);
  walked_back.insert(5);  // race: C
  changed.fetch_add(1, std::memory_order_relaxed);
  shrinking.erase(30);  // race: D
  changed.fetch_add(1, std::memory_order_relaxed);
  other.join();
  return 0;
}
