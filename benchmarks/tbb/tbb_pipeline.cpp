// A pipeline: blocks of text are made in order, run-length encoded in parallel, and decoded and compared in order.
#include <tbb/global_control.h>
#include <tbb/parallel_pipeline.h>

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "../bench.h"

namespace {

constexpr long kBlock = 16'384;
constexpr int kTokens = 8;

struct Block {
  std::vector<unsigned char> text;
  std::vector<std::pair<unsigned char, unsigned char>> runs;
};

std::unique_ptr<Block> make(long number) {
  auto block = std::make_unique<Block>();
  bench::Random random(number);
  while (static_cast<long>(block->text.size()) < kBlock) {
    const auto letter = static_cast<unsigned char>('a' + random.below(26));
    block->text.insert(block->text.end(), 1 + random.below(8), letter);
  }
  return block;
}

void encode(Block& block) {
  const std::vector<unsigned char>& text = block.text;
  for (std::size_t i = 0; i < text.size();) {
    std::size_t end = i;
    while (end < text.size() && text[end] == text[i] && end - i < 255) ++end;
    block.runs.emplace_back(text[i], static_cast<unsigned char>(end - i));
    i = end;
  }
}

bool decodes(const Block& block) {
  std::size_t at = 0;
  for (const auto& [letter, count] : block.runs)
    for (int i = 0; i < count; ++i)
      if (block.text[at++] != letter) return false;
  return at == block.text.size();
}

}  // namespace

int main(int argc, char** argv) {
  const long blocks = bench::size_argument(argc, argv, 4'000, bench::Polynomial{1});
  tbb::global_control limit(tbb::global_control::max_allowed_parallelism, bench::thread_count());
  long made = 0, right = 0;
  auto input = tbb::make_filter<void, Block*>(tbb::filter_mode::serial_in_order,
                                              [&](tbb::flow_control& control) -> Block* {
                                                if (made < blocks) return make(made++).release();
                                                control.stop();
                                                return nullptr;
                                              });
  auto change = tbb::make_filter<Block*, Block*>(tbb::filter_mode::parallel, [](Block* block) {
    encode(*block);
    return block;
  });
  auto output = tbb::make_filter<Block*, void>(tbb::filter_mode::serial_in_order, [&](Block* block) {
    right += decodes(*std::unique_ptr<Block>(block));
  });
  tbb::parallel_pipeline(kTokens, input & change & output);
  bench::require(right == blocks, "every block decodes to what it was");
}
