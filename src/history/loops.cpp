#include "history/loops.hpp"

#include <algorithm>

#include "base/check.hpp"

namespace heddle::history {

using namespace event;

namespace {

constexpr u64 kArrays = 0x10000000, kTableBase = 0x1000000, kCounters = 0x2000000, kRacy = 0x3000000;
constexpr u32 kTableWords = 4096, kLocks = 16;
constexpr u32 kAtOnce = 256;  // iterations before a switch to another worker

}  // namespace

LoopSource::LoopSource(const LoopShape& shape) : shape_(shape), rng_(shape.seed), workers_(shape.workers) {
  // Words read in a round must not be those written in it.
  HEDDLE_CHECK(shape.model != Model::kMixed && shape.workers >= 2 && shape.iterations > 0 &&
               shape.words >= 2 * shape.iterations);
}

u64 LoopSource::word(u32 worker, u32 index) const {
  return kArrays + (u64{worker} * shape_.words + index % shape_.words) * 8;
}

void LoopSource::access(u64 address, bool write, Place place) {
  Record record;
  record.op = Op::kAccess;
  record.flags = write ? kWriteFlag : 0;
  record.size = 8;
  record.a = place;
  record.address = address;
  memory_.push_back(record);
}

void LoopSource::start() {
  if (shape_.model == Model::kAsync) return;
  if (shape_.model == Model::kOpenmp) put(Fork{0, 0});
  for (u32 i = 0; i < shape_.workers; ++i) {
    Worker& worker = workers_[i];
    worker.task = next_task_++;
    worker.begun = true;
    if (shape_.model == Model::kOpenmp) {
      put(TeamBegin{worker.task, 0, i + 1});
    } else {
      put(Spawn{0, worker.task, SpawnKind::kThread});
      put(Begin{worker.task, i + 1});
    }
  }
}

void LoopSource::begin_round() {
  if (shape_.model == Model::kAsync) put(GroupOpen{0});
  const bool with_race =
      races_made_ < shape_.races && made_ >= shape_.events / (shape_.races + 1) * (races_made_ + 1);
  for (u32 i = 0; i < shape_.workers; ++i) {
    Worker& worker = workers_[i];
    if (shape_.model == Model::kAsync) {
      worker.task = next_task_++;
      worker.begun = false;
      put(Spawn{0, worker.task});
    }
    worker.left = shape_.iterations;
    to_run_.push_back(i);
  }
  if (with_race) {
    for (u32 i : {0u, 1u}) {
      Worker& worker = workers_[i];
      if (!worker.begun) put(Begin{worker.task, i + 1});
      worker.begun = true;
      put(Access{worker.task, kRacy + u64{races_made_} * 8, 8, true, false, i == 0 ? kRace : kRaceToo});
    }
    ++races_made_;
  }
}

void LoopSource::critical_section(Worker& worker) {
  u32 lock = rng_.below(kLocks);
  put(Acquire{worker.task, lock, true});
  put(Access{worker.task, kCounters + u64{lock} * 8, 8, false, false, kCounterRead});
  put(Access{worker.task, kCounters + u64{lock} * 8, 8, true, false, kCounterWrite});
  put(Release{worker.task, lock, true});
}

void LoopSource::iterations(Worker& worker) {
  const u32 self = index_of(worker), neighbour = (self + shape_.workers - 1) % shape_.workers;
  const bool reads_neighbour = shape_.model != Model::kLocks;
  memory_task_ = worker.task;
  const u32 count = std::min(worker.left, kAtOnce);
  for (u32 i = 0; i < count; ++i, ++worker.position) {
    if (i % 4 == 0) access(kTableBase + u64{rng_.below(kTableWords)} * 8, false, kTable);
    if (reads_neighbour && worker.position >= shape_.iterations)
      access(word(neighbour, worker.position - shape_.iterations), false, kNeighbour);
    access(word(self, worker.position), false, kOwnRead);
    access(word(self, worker.position), true, kOwnWrite);
  }
  worker.left -= count;
}

void LoopSource::end_round() {
  switch (shape_.model) {
    case Model::kAsync:
      put(GroupClose{0});
      break;
    case Model::kOpenmp:
      for (Worker& worker : workers_) put(BarrierArrive{worker.task, 0});
      for (Worker& worker : workers_) put(BarrierLeave{worker.task, 0});
      break;
    case Model::kThreads:
      // Both neighbours: the one whose array it reads, and the one that reads its own.
      for (u32 i = 0; i < shape_.workers; ++i) put(Signal{workers_[i].task, i, true});
      for (u32 i = 0; i < shape_.workers; ++i) {
        put(Await{workers_[i].task, (i + shape_.workers - 1) % shape_.workers});
        if (shape_.workers > 2) put(Await{workers_[i].task, (i + 1) % shape_.workers});
      }
      break;
    default:
      break;
  }
}

void LoopSource::finish() {
  if (shape_.model == Model::kAsync) return;
  for (Worker& worker : workers_) put(End{worker.task});
  if (shape_.model == Model::kOpenmp)
    put(Join{0, 0});
  else
    for (Worker& worker : workers_) put(JoinThread{0, worker.task});
}

// The next piece: fills memory_ or events_.
void LoopSource::plan() {
  switch (state_) {
    case kFresh:
      start();
      state_ = kBetween;
      break;
    case kBetween:
      if (made_ >= shape_.events) {
        finish();
        state_ = kFinished;
      } else {
        begin_round();
        state_ = kInRound;
      }
      break;
    case kInRound: {
      if (to_run_.empty()) {
        end_round();
        state_ = kBetween;
        break;
      }
      const usize which = rng_.below(static_cast<u32>(to_run_.size()));
      Worker& worker = workers_[to_run_[which]];
      if (!worker.begun) {
        put(Begin{worker.task, index_of(worker) + 1});
        worker.begun = true;
      } else if (worker.left > 0) {
        iterations(worker);
        if (shape_.model == Model::kLocks) critical_section(worker);
      } else {
        to_run_.erase(to_run_.begin() + static_cast<long>(which));
        if (shape_.model == Model::kAsync) put(End{worker.task});
      }
      break;
    }
    case kFinished:
      break;
  }
}

bool LoopSource::next(Batch& batch) {
  memory_.clear();
  while (taken_ == events_.size()) {
    events_.clear();
    taken_ = 0;
    if (state_ == kFinished) return false;
    plan();
    if (!memory_.empty()) break;
  }
  batch = {memory_task_, {}, nullptr};
  if (!memory_.empty()) {
    made_ += memory_.size();
    batch.memory = memory_;
    return true;
  }
  const Event& event = events_[taken_++];
  ++made_;
  if (auto* one = std::get_if<Access>(&event)) {
    access(one->address, one->write, static_cast<Place>(one->site));
    batch = {one->task, memory_, nullptr};
  } else {
    batch.event = &event;
  }
  return true;
}

std::optional<Site> LoopSource::site(u32 number) const {
  constexpr const char* kNames[] = {
      "table read",   "neighbour's word read", "own word read", "own word written",
      "counter read", "counter written",       "race",          "race, too"};
  if (number == 0 || number > std::size(kNames)) return std::nullopt;
  return Site{.name = kNames[number - 1]};
}

}  // namespace heddle::history
