// prove: proved
// classes: 3
// Two loads of one variable in a row, at two places: neither polls.
#include <atomic>
#include <thread>

std::atomic<int> x{0};

int main() {
  std::thread reader([] {
    const int first = x.load();
    const int second = x.load();
    (void)(first + second);
  });
  x.store(1);
  reader.join();
}
