#include "runtime/annotated/acquired_writes.hpp"

#include "runtime/annotated/location.hpp"

namespace heddle::annotated {

namespace {

// Asked while the strand changes: what is cached of its order is not to be trusted.
bool knows(const ThreadState& thread, u64 epoch) {
  const Access access{epoch, 0};
  const order::Task& own = *thread.context->task;
  return access.task() == own.id ||
         access.index() <= rt().order.known_by_structure(*rt().order.find(access.task()), own);
}

void note_unknown(ThreadState& thread, Now& now, const Location& location, u64 bytes) {
  Vector<AcquiredWrite>& acquired = thread.context->step->acquired_writes;
  now.for_each_remembered(bytes, [&](const Single& single) {
    if (single.access.write && !knows(thread, single.epoch)) acquired.push_back({&location, single});
  });
}

}  // namespace

void before_acquire(ThreadState& thread, uptr address, u32 size) {
  Page* page = rt().shadow.find(address);
  Line* line = page ? find_line(*page, address) : nullptr;
  if (!line) return;
  step_of(*thread.context);
  const uptr base = address & ~(kLineSize - 1);
  const u64 bytes = (size < 64 ? (u64{1} << size) - 1 : ~u64{0}) << (address - base);
  const Access access{thread.strand, thread.what};
  if (const u64 single = bytes & line->single) {
    Block& block = page->block(address);
    HeldBlock guard(block);
    Now now(thread, &block, base, nullptr, access);
    note_unknown(thread, now, line->location, single);
  }
  for (Member* member = line->members; member; member = member->next) {
    if (!(member->bytes & bytes)) continue;
    SpinGuard guard(member->group->lock);
    Now now(thread, nullptr, base, member->group, access);
    note_unknown(thread, now, member->group->location, 1);
  }
}

void after_acquire(ThreadState& thread) {
  if (!thread.context->step) return;
  Vector<AcquiredWrite>& acquired = thread.context->step->acquired_writes;
  for (u32 i = 0; i < acquired.size();)
    if (knows(thread, acquired[i].write.epoch))
      ++i;
    else
      acquired.erase_swap(i);
}

}  // namespace heddle::annotated
