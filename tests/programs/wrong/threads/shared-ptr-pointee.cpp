// The counts of a shared_ptr are atomic, the object it points to is not. (Both copies are made before the
// first thread starts: a later copy could acquire what the first thread released with its count.)
// expect: race

#include <memory>
#include <thread>

struct Tally {
  int votes = 0;
};

static void vote(std::shared_ptr<Tally> tally) {
  tally->votes++;  // race: A
}

int main() {
  auto tally = std::make_shared<Tally>();
  auto first = tally, second = tally;
  std::thread one(vote, std::move(first)), two(vote, std::move(second));
  one.join();
  two.join();
  return tally->votes != 1 && tally->votes != 2;
}
