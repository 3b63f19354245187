// Both owners write their own half; the last one to let go destroys the object and sees both halves.
// expect: clean

#include <memory>
#include <thread>

int total;

struct Halves {
  int left = 0, right = 0;
  ~Halves() { total = left + right; }
};

int main() {
  auto halves = std::make_shared<Halves>();
  std::thread one([mine = halves]() mutable {
    mine->left = 1;
    mine.reset();
  });
  std::thread two([mine = std::move(halves)]() mutable {
    mine->right = 2;
    mine.reset();
  });
  one.join();
  two.join();
  return total != 3;
}
