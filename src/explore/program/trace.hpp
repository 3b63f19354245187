// What a controlled program recorded, made into an Execution: the steps are on the board, what they did is in the
// records.
//
// In its stream, each thread marks where a step begins (a kOrder that carries the step's number). All records up to the
// next mark belong to that step. Taken in the order of the steps they are a history, which is lowered to forks, joins
// and signals (engine/lower.hpp); here these become the steps that a step comes after.
//
// Knowledge is kept per task as a set of steps. A step takes its task's knowledge when it first does something others
// can see, which is after whatever it awaited: the program cuts its steps so.
#pragma once

#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "control/board.hpp"
#include "explore/execution.hpp"
#include "history/writer.hpp"

namespace heddle::explore {

// The records of one execution, as they come.
class TraceRecords : public history::RecordSink {
 public:
  void append(u32 stream, std::span<const history::Record> records) override;
  const std::unordered_map<u32, std::vector<history::Record>>& streams() const { return streams_; }
  void clear() { streams_.clear(); }

 private:
  std::unordered_map<u32, std::vector<history::Record>> streams_;
};

// `numbers` leads from the board's numbers of actors to the exploration's. Fills in the steps, and who waits. Returns
// what cannot be understood: then nothing was filled in. Empty if all can. `unwanted` is asked from time to time; the
// execution is kAborted if it says so.
std::string read_trace(const control::Board& board, const TraceRecords& records,
                       std::span<const ActorNumber> numbers, Execution& execution,
                       const std::function<bool()>& unwanted = {});

}  // namespace heddle::explore
