// A text is encrypted and decrypted with IDEA: 129 tasks of one block for each direction, with a finish after each.
// verdict: clean
// tasks: 259
// published: CG 260
// classes: 1

#include "prove.h"

#include "../idea.h"

namespace {

constexpr long kBlocks = 129;

void cipher(const idea::Text& in, idea::Text& out, const idea::Subkeys& keys) {
  heddle::finish([&] {
    for (long block = 0; block < kBlocks; ++block)
      heddle::async([&, at = block * idea::kBlock] {
        prove::Reads from(&in[at], idea::kBlock);
        prove::Writes to(&out[at], idea::kBlock);
        idea::cipher_block(&in[at], &out[at], keys);
      });
  });
}

}  // namespace

int main() {
  bench::require(idea::agrees_with_published_example(), "the published example");
  idea::Text plain(kBlocks * idea::kBlock, 'x'), secret(plain.size()), again(plain.size());
  const idea::Subkeys encrypt = idea::encryption_keys(0x1234567890abcdef),
                      decrypt = idea::decryption_keys(encrypt);
  cipher(plain, secret, encrypt);
  cipher(secret, again, decrypt);
  bench::require(plain == again && plain != secret, "the decrypted text");
}
