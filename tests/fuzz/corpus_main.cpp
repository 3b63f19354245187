// Passes each file of the directories named as arguments, and prefixes of each file, to the linked fuzz target.
#include <filesystem>
#include <fstream>
#include <iterator>
#include <vector>

#include "fuzz.hpp"

int main(int argc, char** argv) {
  size_t files = 0;
  for (int i = 1; i < argc; ++i)
    for (const auto& entry : std::filesystem::directory_iterator(argv[i])) {
      std::ifstream file(entry.path(), std::ios::binary);
      std::vector<uint8_t> bytes{std::istreambuf_iterator<char>(file), {}};
      ++files;
      // A buffer of exactly that size: a sanitizer, or valgrind, detects reads beyond it.
      for (size_t size = bytes.size(), step = 0; step <= bytes.size() && step < 64;
           ++step, size = bytes.size() - step) {
        std::vector<uint8_t> part(bytes.begin(), bytes.begin() + static_cast<long>(size));
        part.shrink_to_fit();
        LLVMFuzzerTestOneInput(part.data(), part.size());
      }
    }
  std::printf("%zu files\n", files);
  return files == 0;  // a missing corpus is a failure
}
