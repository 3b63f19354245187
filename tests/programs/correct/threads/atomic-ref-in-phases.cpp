// An ordinary array is used through atomic_ref while threads share it, and plainly before and after.
// expect: clean

#include <atomic>
#include <thread>

alignas(8) int votes[2];

static void vote(int choice) {
  for (int i = 0; i < 20; i++) std::atomic_ref<int>(votes[(choice + i) % 2]).fetch_add(1);
}

int main() {
  votes[0] = votes[1] = 1;
  std::thread one(vote, 0), two(vote, 1);
  one.join();
  two.join();
  return votes[0] != 21 || votes[1] != 21;
}
