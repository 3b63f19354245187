// A text is encrypted and decrypted with IDEA: 193 futures encrypt a block each, 193 more decrypt what they ask these
// for.
// verdict: clean
// tasks: 387
// published: CG 775
// classes: 1

#include "prove.h"

#include <vector>

#include "../idea.h"

namespace {

constexpr long kBlocks = 193;
using Block = std::array<std::uint8_t, idea::kBlock>;

}  // namespace

int main() {
  bench::require(idea::agrees_with_published_example(), "the published example");
  const std::vector<Block> plain(kBlocks, Block{'p', 'l', 'a', 'i', 'n'});
  std::vector<Block> again(kBlocks);
  const idea::Subkeys encrypt = idea::encryption_keys(0x1234567890abcdef),
                      decrypt = idea::decryption_keys(encrypt);
  heddle::finish([&] {
    for (long i = 0; i < kBlocks; ++i) {
      auto secret = heddle::async([&, i] {
        prove::Reads from(&plain[i], sizeof(Block));
        Block block;
        idea::cipher_block(plain[i].data(), block.data(), encrypt);
        return block;
      });
      heddle::future<void>([&, i, secret] {
        const Block& block = secret.get();
        prove::Writes to(&again[i], sizeof(Block));
        idea::cipher_block(block.data(), again[i].data(), decrypt);
      });
    }
  });
  bench::require(plain == again, "the decrypted text");
}
