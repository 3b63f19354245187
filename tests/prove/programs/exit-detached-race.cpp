// prove: race
// A detached thread races with main, which ends without waiting for it: the process may end later than the thread.
#include <thread>

int counter = 0;

int main() {
  std::thread([] { ++counter; }).detach();
  ++counter;
}
