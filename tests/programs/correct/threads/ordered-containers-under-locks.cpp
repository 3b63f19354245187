// Threads change and search ordered containers and lists under a lock, then one reads them all after the joins.
// expect: clean

#include <list>
#include <map>
#include <mutex>
#include <set>
#include <thread>
#include <vector>

std::mutex lock;
std::map<int, int> counts;
std::set<int> seen;
std::list<int> order;

void work(int first) {
  for (int value = first; value < first + 200; ++value) {
    const std::lock_guard<std::mutex> guard(lock);
    ++counts[value % 50];
    seen.insert(value);
    order.push_back(value);
    if (value % 3 == 0) seen.erase(value);
    if (value % 5 == 0) order.pop_front();
  }
}

int main() {
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) threads.emplace_back(work, i * 100);
  for (std::thread& thread : threads) thread.join();
  int sum = 0;
  for (const auto& [value, count] : counts) sum += count;
  for (auto at = seen.rbegin(); at != seen.rend(); ++at) sum += *at > 0;
  order.reverse();
  for (int value : order) sum += value > 0;
  return sum > 800 ? 0 : 1;
}
