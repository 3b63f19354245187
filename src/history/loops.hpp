// Histories of any length, in the memory of one round: workers that loop over arrays, for measuring engines and
// readers.
//
// A round is some iterations of each worker's loop: it reads what a neighbour wrote in the previous round, reads and
// writes its own array, and reads a table that is never written. The model decides how rounds are ordered:
//   async     a group around as many tasks as there are workers, in each round
//   openmp    one team, a barrier after each round
//   threads   a ring: each worker signals at the end of a round, and awaits the neighbour whose array it reads
//   locks     each worker also changes one of several shared counters, under its lock; neighbours' arrays are not
//             read The only races are the requested ones: two workers that write the same word at the start of a
//             round.
#pragma once

#include <vector>

#include "event/random/generate.hpp"
#include "event/random/rng.hpp"
#include "history/source.hpp"

namespace heddle::history {

struct LoopShape {
  event::Model model = event::Model::kAsync;  // except kMixed
  u64 events = 1000000;                       // at least; the current round is completed
  u32 workers = 8;
  u32 words = 65536;      // of each worker's array: 512 KiB
  u32 iterations = 2000;  // of each worker in a round; at most half the words
  u32 races = 0;
  u64 seed = 1;
};

class LoopSource : public EventSource {
 public:
  explicit LoopSource(const LoopShape& shape);

  bool next(Batch& batch) override;
  std::optional<Site> site(u32 number) const override;

 private:
  // Sites, as numbers.
  enum Place : u32 {
    kTable = 1,
    kNeighbour,
    kOwnRead,
    kOwnWrite,
    kCounterRead,
    kCounterWrite,
    kRace,
    kRaceToo
  };
  struct Worker {
    u32 task = 0;
    u32 position = 0;  // in its array
    u32 left = 0;      // iterations of this round
    bool begun = false;
  };

  void plan();
  void start();
  void begin_round();
  void end_round();
  void finish();
  void iterations(Worker& worker);
  void access(u64 address, bool write, Place place);
  u64 word(u32 worker, u32 index) const;
  void critical_section(Worker& worker);
  void put(const event::Event& event) { events_.push_back(event); }
  u32 index_of(const Worker& worker) const { return static_cast<u32>(&worker - workers_.data()); }

  LoopShape shape_;
  event::Rng rng_;
  std::vector<Worker> workers_;
  std::vector<u32> to_run_;  // workers that have not finished the round
  u32 next_task_ = 1;
  u32 races_made_ = 0;
  u64 made_ = 0;
  enum { kFresh, kBetween, kInRound, kFinished } state_ = kFresh;
  // Pending output: memory_ first, then events_, one by one.
  std::vector<Record> memory_;
  u32 memory_task_ = 0;
  std::vector<event::Event> events_;
  usize taken_ = 0;
};

}  // namespace heddle::history
