#include "runtime/annotated/firsts.hpp"

namespace heddle::annotated {

void bring_firsts(ThreadState& thread, Step& step, Line& line, uptr base, u64 words, Now& context) {
  const uptr block = base & ~(kBlockSize - 1);
  const u32 first_word = static_cast<u32>(base - block) / 4;
  bool any = false;
  step.log.for_each(block, [&](Touch& touch) {
    const u64 here = touch.words & ~touch.brought & words & u64{0xffff} << first_word;
    if (!here) return;
    if (!any) Rules::forget_over(line.location, context);
    any = true;
    touch.brought |= here;
    auto key_of = [&](u32 word) { return StrandContext::key_of_word(touch.key, word); };
    for_each_key(here, key_of, [&](AccessKey key, u64 same) {
      const Repeated made = rt().repeats.get(key);
      const u64 bytes = bytes_of_words(same >> first_word) & line.single;
      for (const AccessKey each : {made.first, made.write})
        if (each && bytes)
          Rules::begin(line.location, single_of(thread, each, touch.locks, bytes, touch.bound_to), touch.seen,
                       context);
    });
  });
}

}  // namespace heddle::annotated
