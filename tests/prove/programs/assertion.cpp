// prove: crash
// A check and an act in two sections: in some order the check does not hold any more.
#include <cassert>
#include <mutex>
#include <thread>

std::mutex mutex;
int left = 1;

int main() {
  auto take = [] {
    bool any;
    {
      std::lock_guard guard(mutex);
      any = left > 0;
    }
    if (!any) return;
    std::lock_guard guard(mutex);
    --left;
    assert(left >= 0);
  };
  std::thread one(take), two(take);
  one.join();
  two.join();
}
