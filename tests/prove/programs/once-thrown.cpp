// prove: proved
// classes: 6
// A routine that throws is called again by the next one: three threads, of which the first to come throws, and the
// second does it.
#include <mutex>
#include <stdexcept>
#include <thread>

std::once_flag flag;
int calls = 0;

int main() {
  auto work = [] {
    try {
      std::call_once(flag, [] {
        if (++calls == 1) throw std::runtime_error("not yet");
      });
    } catch (const std::runtime_error&) {
    }
  };
  std::thread one(work), two(work), three(work);
  one.join();
  two.join();
  three.join();
  return calls != 2;
}
