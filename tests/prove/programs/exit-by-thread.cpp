// prove: race
// A thread ends the process by quick_exit while main and another thread have not yet come to their race.
#include <cstdlib>
#include <thread>

int counter = 0;

int main() {
  std::thread([] { std::quick_exit(0); }).detach();
  std::thread([] { ++counter; }).detach();
  ++counter;
}
