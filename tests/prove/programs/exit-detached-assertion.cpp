// prove: crash
// The assertion fails only if main comes first, and main does not wait for the thread: not even for its destructors'
// sake.
#include <atomic>
#include <cassert>
#include <cstdlib>
#include <thread>

std::atomic<int> state{0};
struct Last {
  ~Last() { state = 2; }
} last;

int main() {
  std::thread([] { assert(state != 2); }).detach();
  std::exit(0);
}
