#include <cstdio>
#include <thread>

extern "C" int sum(int n);

int main() {
  int from_thread = 0;
  std::thread([&] { from_thread = sum(10); }).join();
  std::printf("%d\n", from_thread);
  return from_thread == 45 ? 0 : 1;
}
