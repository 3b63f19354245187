// prove: crash
// Who runs the routine is whoever comes first.
#include <cassert>
#include <mutex>
#include <thread>

std::once_flag flag;

int main() {
  auto work = [](int who) { std::call_once(flag, [=] { assert(who != 2); }); };
  std::thread one(work, 1), two(work, 2);
  one.join();
  two.join();
}
