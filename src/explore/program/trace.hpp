// Makes an Execution from the recording of a controlled program: the steps are on the board, their effects in the
// records.
//
// Each thread marks in its stream where a step begins (a kOrder with the step's number). All records up to the next
// mark belong to that step. Concatenated in the order of the steps they are a history, which is lowered to forks,
// joins and signals (engine/lower.hpp); these become the happens-before edges of the steps.
//
// Each task has the set of steps that happen before its next one. A step takes its task's set when it first does
// something visible, which is after anything it awaited: the program cuts its steps so.
#pragma once

#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "control/board.hpp"
#include "explore/execution.hpp"
#include "history/writer.hpp"

namespace heddle::explore {

// The records of one execution, in the order of arrival.
class TraceRecords : public history::RecordSink {
 public:
  void append(u32 stream, std::span<const history::Record> records) override;
  const std::unordered_map<u32, std::vector<history::Record>>& streams() const { return streams_; }
  void clear() { streams_.clear(); }

 private:
  std::unordered_map<u32, std::vector<history::Record>> streams_;
};

// `numbers` maps the board's actor numbers to the exploration's. Fills in the steps, and the blocked ones. Returns a
// problem, and then fills in nothing; empty if all is well. `unwanted` is polled: if it returns true, the execution
// ends as kAborted.
std::string read_trace(const control::Board& board, const TraceRecords& records,
                       std::span<const ActorNumber> numbers, Execution& execution,
                       const std::function<bool()>& unwanted = {});

}  // namespace heddle::explore
