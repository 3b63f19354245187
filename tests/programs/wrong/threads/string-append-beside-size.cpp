// One thread appends to a string while another one asks for its size. Up to C++17 the members of std::string are
// functions of the library, unless the wrapper lets the program have its own.
// flags: -std=c++17
// expect: race

#include <string>
#include <thread>

std::string appended, copied("text");
std::wstring wide;
volatile unsigned long sink;

int main() {
  std::thread other([] {
    sink = appended.size();    // race: A
    std::string copy(copied);  // race: B
    sink = copy.size();
    sink = wide.size();  // race: C
  });
  appended += 'x';        // race: A
  copied.push_back('s');  // race: B
  wide.append(1, L'w');   // race: C
  other.join();
  return 0;
}
