// The Crypt kernel of the Java Grande suite, as its description says: a text is encrypted and decrypted with IDEA
// (Lai and Massey 1990), block by block, and must come out as it went in. Both directions are a forall over the
// blocks; all tasks read the same 52 subkeys, each writes its own blocks.
#pragma once

#include "../idea.h"
#include "async_finish.h"

namespace idea {

constexpr long kTasks =
    128;  // a direction; with the root 257, where Nakade et al. count 259 for their version

inline void cipher(const Text& in, Text& out, const Subkeys& keys) {
  af::forall(0, static_cast<long>(in.size()) / kBlock, kTasks,
             [&](long i) { cipher_block(&in[i * kBlock], &out[i * kBlock], keys); });
}

// `bytes` is rounded up to whole blocks.
inline void run(long bytes) {
  bench::require(agrees_with_published_example(), "the published example");
  const long length = (bytes + kBlock - 1) / kBlock * kBlock;
  bench::Random random(3);
  Text plain(length), secret(length), again(length);
  for (auto& byte : plain) byte = static_cast<std::uint8_t>(random.next());
  const Subkeys encrypt =
      encryption_keys(static_cast<unsigned __int128>(random.next()) << 64 | random.next());
  const Subkeys decrypt = decryption_keys(encrypt);
  af::root([&] {
    cipher(plain, secret, encrypt);
    cipher(secret, again, decrypt);
  });
  bench::require(plain == again && plain != secret, "the decrypted text");
}

}  // namespace idea
