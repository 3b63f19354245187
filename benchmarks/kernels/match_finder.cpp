// The match finder of a parallel compressor (LZ77): a task per block of text looks for earlier copies by hash heads of
// 16 bits and hash chains of 32 bits, and compares byte by byte. Every task allocates its tables, as compressors do.
#include "../bench.h"

#include <algorithm>
#include <string>
#include <vector>

namespace {

constexpr long kBlock = 1 << 15;  // so that a position + 1 fits into 16 bits
constexpr int kHashBits = 13;
constexpr int kProbes = 16;  // candidates looked at before the best is taken
constexpr long kShortest = 4, kLongest = 258;

using Byte = unsigned char;

// A copy of `length` bytes from `value` bytes before, or the byte `value` if length is 0.
struct Token {
  std::uint16_t length, value;
};

class MatchFinder {
 public:
  MatchFinder(const Byte* block, long size)
      : block_(block), size_(size), heads_(1 << kHashBits), chain_(size) {}

  void insert(long position) {
    if (position + kShortest > size_) return;
    std::uint16_t& head = heads_[hash(position)];
    chain_[position] = head;
    head = static_cast<std::uint16_t>(position + 1);
  }

  Token longest_match(long position) const {
    Token best{0, block_[position]};
    if (position + kShortest > size_) return best;
    long best_length = kShortest - 1;
    std::uint32_t next = heads_[hash(position)];
    for (int probe = 0; probe < kProbes && next; ++probe, next = chain_[next - 1]) {
      const long candidate = next - 1, length = common(candidate, position);
      if (length <= best_length) continue;
      best_length = length;
      best = {static_cast<std::uint16_t>(length), static_cast<std::uint16_t>(position - candidate)};
    }
    return best;
  }

 private:
  std::uint32_t hash(long position) const {
    const Byte* p = block_ + position;
    const std::uint32_t word = p[0] | p[1] << 8 | p[2] << 16 | static_cast<std::uint32_t>(p[3]) << 24;
    return word * 2'654'435'761u >> (32 - kHashBits);
  }
  long common(long a, long b) const {
    const long limit = std::min(kLongest, size_ - b);
    long length = 0;
    while (length < limit && block_[a + length] == block_[b + length]) ++length;
    return length;
  }

  const Byte* block_;
  long size_;
  std::vector<std::uint16_t> heads_;  // the last position + 1 with that hash; 0: none
  std::vector<std::uint32_t> chain_;  // of each position, the one before with the same hash, as in heads_
};

std::vector<Token> compress(const Byte* block, long size) {
  MatchFinder finder(block, size);
  std::vector<Token> tokens;
  for (long position = 0; position < size;) {
    const Token token = finder.longest_match(position);
    tokens.push_back(token);
    for (const long end = position + std::max<long>(1, token.length); position < end; ++position)
      finder.insert(position);
  }
  return tokens;
}

std::vector<Byte> expand(const std::vector<Token>& tokens) {
  std::vector<Byte> bytes;
  for (const Token token : tokens) {
    if (token.length == 0) bytes.push_back(static_cast<Byte>(token.value));
    for (int i = 0; i < token.length; ++i) bytes.push_back(bytes[bytes.size() - token.value]);
  }
  return bytes;
}

// Words of a small language, some of them much more frequent than others.
std::vector<Byte> write_text(long size) {
  bench::Random random(1);
  std::vector<std::string> words(1000);
  for (std::string& word : words) {
    for (long length = 2 + random.below(8); length > 0; --length)
      word += static_cast<char>('a' + random.below(26));
    word += ' ';
  }
  std::vector<Byte> text;
  while (static_cast<long>(text.size()) < size) {
    const std::string& word = words[random.below(1 + random.below(static_cast<long>(words.size())))];
    text.insert(text.end(), word.begin(), word.end());
  }
  text.resize(size);
  return text;
}

}  // namespace

int main(int argc, char** argv) {
  const long blocks = bench::size_argument(argc, argv, 600, bench::Polynomial{1});
  const std::vector<Byte> text = write_text(blocks * kBlock);
  std::vector<std::vector<Token>> compressed(blocks);
#pragma omp parallel
#pragma omp single
  for (long i = 0; i < blocks; ++i) {
#pragma omp task shared(text, compressed) firstprivate(i)
    compressed[i] = compress(text.data() + i * kBlock, kBlock);
  }
  long tokens = 0;
  for (long i = 0; i < blocks; ++i) {
    const std::vector<Byte> bytes = expand(compressed[i]);
    tokens += static_cast<long>(compressed[i].size());
    bench::require(
        bytes.size() == kBlock && std::equal(bytes.begin(), bytes.end(), text.begin() + i * kBlock),
        "a compressed block expands to the block");
  }
  bench::require(tokens < blocks * kBlock / 2, "text becomes smaller");
}
