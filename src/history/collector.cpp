#include "history/collector.hpp"

#include <fcntl.h>
#include <linux/futex.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <map>
#include <new>

namespace heddle::history {
namespace {

// A high number, far from those that programs close or expect, as for the raw log.
constexpr int kLowestDescriptor = 200;

long futex(std::atomic<u32>& word, int operation, u32 value, const timespec* most = nullptr) {
  return syscall(SYS_futex, &word, operation, value, most, nullptr, 0);
}

Error cannot(const char* what) {
  return {std::string("cannot ") + what + " the memory to record through: " + std::strerror(errno)};
}

}  // namespace

Result<Collector> Collector::create() {
  int near = memfd_create("heddle-record", 0);
  if (near < 0) return cannot("make");
  int descriptor = fcntl(near, F_DUPFD, kLowestDescriptor);
  if (descriptor < 0)
    descriptor = near;
  else
    ::close(near);
  if (ftruncate(descriptor, static_cast<off_t>(kChannelBytes)) != 0) return cannot("size");
  void* at = mmap(nullptr, kChannelBytes, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
  if (at == MAP_FAILED) return cannot("map");
  auto* channel = new (at) Channel{};
  channel->magic = Channel::kMagic;
  channel->version = Channel::kVersion;
  channel->tool = static_cast<u32>(getpid());
  for (auto& word : channel->free) word.store(~u64{0});
  return Collector(descriptor, channel);
}

Collector::Collector(Collector&& other) noexcept
    : descriptor_(std::exchange(other.descriptor_, -1)), channel_(std::exchange(other.channel_, nullptr)) {}

Collector::~Collector() {
  if (channel_) munmap(channel_, kChannelBytes);
  if (descriptor_ >= 0) ::close(descriptor_);
}

void Collector::collect(RecordSink& sink) {
  u32 handed_over = channel_->handed_over.load();
  channel_->beat.fetch_add(1);
  if (sweep(sink, false)) return;
  timespec moment{0, 20'000'000};
  channel_->tool_waits.store(1);
  futex(channel_->handed_over, FUTEX_WAIT, handed_over, &moment);
  channel_->tool_waits.store(0);
}

void Collector::close() {
  u32 open = kOpen;
  channel_->closed.compare_exchange_strong(open, kByTool);
}

void Collector::finish(RecordSink& sink) {
  close();
  sweep(sink, true);
}

void Collector::reset() {
  next_.clear();
  records_ = accesses_ = 0;
  channel_->program.store(0);
  channel_->others.store(0);
  channel_->used.store(0);
  channel_->tickets.store(0);
  channel_->handed_over.store(0);
  channel_->given_back.store(0);
  channel_->program_waits.store(0);
  channel_->closed.store(kOpen);
}

namespace {

u32 count_records(Record* records) {
  u32 count = 0;
  while (count < kBlockRecords &&
         __atomic_load_n(reinterpret_cast<u64*>(records + count), __ATOMIC_ACQUIRE) != 0)
    ++count;
  return count;
}

}  // namespace

void Collector::peek(RecordSink& sink) const {
  std::map<std::pair<u32, u32>, u32> in_use;  // stream, number of the block -> where it is
  for (u32 i = 0, used = channel_->used.load(); i < used; ++i) {
    const Block& block = channel_->blocks[i];
    if (block.state.load(std::memory_order_acquire) != BlockState::kFree)
      in_use[{block.stream, block.sequence}] = i;
  }
  for (auto [name, index] : in_use) {
    Record* records = records_of(channel_, index);
    sink.append(name.first, {records, count_records(records)});
  }
}

u32 Collector::sweep(RecordSink& sink, bool all) {
  std::map<u32, std::map<u32, u32>> ready;  // stream -> number of the block -> where it is
  for (u32 i = 0, used = channel_->used.load(); i < used; ++i) {
    Block& block = channel_->blocks[i];
    BlockState state = block.state.load(std::memory_order_acquire);
    if (state == BlockState::kFull || (all && state == BlockState::kFilling))
      ready[block.stream][block.sequence] = i;
  }
  u32 taken = 0;
  for (auto& [stream, blocks] : ready) {
    // A block may have been filled meanwhile, and its successor seen: it comes with the next sweep.
    std::vector<u32> in_order;
    u32& next = next_[stream];
    for (auto [sequence, block] : blocks) {
      if (sequence != next) break;
      ++next;
      in_order.push_back(block);
    }
    take(sink, stream, in_order);
    taken += static_cast<u32>(in_order.size());
  }
  return taken;
}

void Collector::take(RecordSink& sink, u32 stream, const std::vector<u32>& blocks) {
  constexpr usize kAtOnce = Writer::kChunkRecords / kBlockRecords;
  for (usize from = 0; from < blocks.size(); from += kAtOnce) {
    usize until = std::min(blocks.size(), from + kAtOnce);
    records_of_chunk_.clear();
    for (usize i = from; i < until; ++i) {
      // Copied first: the program gets its memory back before the compression.
      u32 index = blocks[i];
      Record* records = records_of(channel_, index);
      u32 count = count_records(records);
      for (u32 r = 0; r < count; ++r) accesses_ += records[r].op == Op::kAccess;
      records_of_chunk_.insert(records_of_chunk_.end(), records, records + count);
      std::memset(static_cast<void*>(records), 0, usize{count} * sizeof(Record));
      channel_->blocks[index].state.store(BlockState::kFree);
      channel_->free[index / 64].fetch_or(u64{1} << (index % 64), std::memory_order_release);
      channel_->given_back.fetch_add(1);
    }
    if (channel_->program_waits.load()) futex(channel_->given_back, FUTEX_WAKE, 1 << 30);
    records_ += records_of_chunk_.size();
    sink.append(stream, records_of_chunk_);
  }
}

}  // namespace heddle::history
