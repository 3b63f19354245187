// The accesses that a library function makes on the program's behalf.
#pragma once

#include "frontend/interpose.hpp"
#include "runtime/access/access_path.hpp"
#include "runtime/runtime.hpp"

namespace heddle {

// One call from the program of a function that reads or writes ranges. Does nothing if the call does not count.
class RangeCall {
 public:
  HEDDLE_INLINE RangeCall(uptr caller, void* frame) : thread_(observed()), caller_(caller) {
    if (HEDDLE_UNLIKELY(thread_ && caller - g_executable.begin >= g_executable.end - g_executable.begin))
      consider_origin(frame);
  }
  explicit operator bool() const { return thread_ != nullptr; }

  HEDDLE_INLINE void reads(const void* at, usize size) { access(at, size, race::kPlain); }
  HEDDLE_INLINE void writes(const void* at, usize size) { access(at, size, race::kPlain | race::kWrite); }

 private:
  HEDDLE_INLINE void access(const void* at, usize size, u64 flags) {
    if (!thread_ || !size) return;
    const uptr address = address_of(at);
    // A few words count as one access.
    if (size <= kFewWords && ((address | size) & 3) == 0 && (address & (kBlockSize - 1)) + size <= kBlockSize)
      return access_few_words(*thread_, address, static_cast<u32>(size), flags & race::kWrite, caller_);
    access_range(*thread_, address, size, flags, caller_);
  }
  static constexpr usize kFewWords = kBlockSize / 2;
  HEDDLE_NOINLINE static void access_few_words(ThreadState& thread, uptr address, u32 size, bool write,
                                               uptr pc) {
    access_whole_words(thread, address, size, write, pc);
  }
  // The standard library works on the program's data; other libraries on data whose order is not seen.
  HEDDLE_NOINLINE void consider_origin(void* frame) {
    // The call site is needed only for reports, and there will be none about this.
    if (thread_->quiescent) return;
    Origin origin = origin_of(caller_);
    if (origin == Origin::kStandardLibrary)
      caller_ = program_pc(*thread_, caller_, frame);
    else if (origin != Origin::kProgram)
      thread_ = nullptr;
  }

  ThreadState* thread_;
  uptr caller_;
};

#define HEDDLE_RANGE_CALL(name) ::heddle::RangeCall name(HEDDLE_CALLER, __builtin_frame_address(0))

}  // namespace heddle
