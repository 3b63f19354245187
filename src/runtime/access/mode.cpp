#include "runtime/access/mode.hpp"

#include "runtime/access/annotated_mode.hpp"
#include "runtime/access/race_mode.hpp"
#include "runtime/controlled/places.hpp"
#include "runtime/recording/recorder.hpp"
#include "runtime/state/filter.hpp"
#include "runtime/state/observer.hpp"

namespace heddle {
namespace {

void record(ThreadState& thread, uptr address, u32 size, u64 flags, uptr pc) {
  recorder::access(thread, address, size, flags, pc);
}
constexpr AccessMode kRecorded{record, record, recorder::access, false, false};

const AccessMode* g_unsteered = nullptr;

// Every access must come to the slow path.
void forget_marks(ThreadState& thread, uptr address) {
  if (g_unsteered == &kRecorded) return;  // it marks nothing
  filter_entry(thread, address >> 3) = {};
  places::forget_marks(thread);
}

constexpr AccessMode kSteered{[](ThreadState& thread, uptr address, u32 size, u64 flags, uptr pc) {
                                places::stop_at(thread, address, size, flags, pc);
                                g_unsteered->words(thread, address, size, flags, pc);
                                forget_marks(thread, address);
                              },
                              [](ThreadState& thread, uptr address, u32 size, u64 flags, uptr pc) {
                                places::stop_at(thread, address, size, flags, pc);
                                g_unsteered->bytes(thread, address, size, flags, pc);
                                forget_marks(thread, address);
                              },
                              [](ThreadState& thread, uptr address, usize size, u64 flags, uptr pc) {
                                places::stop_at(thread, address, size, flags, pc);
                                g_unsteered->range(thread, address, size, flags, pc);
                                forget_marks(thread, address);
                              },
                              false, false};

void choose() {
  const AccessMode* mode = recorder::on() ? &kRecorded
                           : g_observer   ? &annotated_mode::kMode
                                          : &race_mode::kMode;
  g_unsteered = mode;
  g_mode = places::g_any ? &kSteered : mode;
}

}  // namespace

void start_modes() {
  g_choose_mode = choose;
  choose();
}

}  // namespace heddle
