// Conversions of a text read it up to the first character that they do not use.
// expect: race

#include <cstdlib>
#include <thread>

char texts[8][16] = {"12 ", "12 ", "12 ", "12 ", "1.5 ", "1.5 ", "12 ", "1.5 "};
volatile double sink;

__attribute__((noinline)) void use_all() {
  sink = std::strtol(texts[0], nullptr, 10);                        // race: A
  sink = std::strtoul(texts[1], nullptr, 10);                       // race: B
  sink = std::strtoll(texts[2], nullptr, 10);                       // race: C
  sink = static_cast<double>(std::strtoull(texts[3], nullptr, 10));  // race: D
  sink = std::strtof(texts[4], nullptr);                            // race: E
  sink = static_cast<double>(std::strtold(texts[5], nullptr));      // race: F
  sink = static_cast<double>(std::atoll(texts[6]));                 // race: G
  sink = std::atof(texts[7]);                                       // race: H
}

int main() {
  std::thread other(use_all);
  texts[0][1] = '3';  // race: A
  texts[1][1] = '3';  // race: B
  texts[2][1] = '3';  // race: C
  texts[3][1] = '3';  // race: D
  texts[4][2] = '3';  // race: E
  texts[5][2] = '3';  // race: F
  texts[6][1] = '3';  // race: G
  texts[7][2] = '3';  // race: H
  other.join();
  return 0;
}
