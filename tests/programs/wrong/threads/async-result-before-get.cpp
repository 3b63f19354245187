// The side result of an asynchronous call is read before get(): only get() or wait() orders it.
// expect: race

#include <future>

int side_result;

static int compute() {
  side_result = 3;  // race: A
  return 4;
}

int main() {
  std::future<int> answer = std::async(std::launch::async, compute);
  int early = side_result;  // race: A
  return answer.get() != 4 || (early != 0 && early != 3);
}
