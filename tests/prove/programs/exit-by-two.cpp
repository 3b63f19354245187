// prove: crash
// main returns while a thread is in exit already, and a third one is still to come.
#include <atomic>
#include <cassert>
#include <cstdlib>
#include <thread>

std::atomic<int> state{0};

int main() {
  std::thread([] { std::exit(0); }).detach();
  std::thread([] { assert(state.exchange(2) == 0); }).detach();
  state = 1;
}
