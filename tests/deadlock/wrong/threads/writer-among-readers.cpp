// A reader of one lock waits for the writer of another, who waits for the reader.
// expect: deadlock

#include <shared_mutex>
#include <thread>

#include "../../turns.hpp"

std::shared_mutex table, row;

int main() {
  std::thread one([] {
    Turn turn(0);
    std::shared_lock<std::shared_mutex> first(table);
    std::shared_lock<std::shared_mutex> second(row);  // wants: A
  });
  std::thread two([] {
    Turn turn(1);
    std::unique_lock<std::shared_mutex> first(row);
    std::unique_lock<std::shared_mutex> second(table);  // wants: A
  });
  one.join();
  two.join();
  return 0;
}
