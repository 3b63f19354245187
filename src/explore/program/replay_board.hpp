// A schedule on a board, for an ordinary run of the program under the verification runtime
// (src/runtime/controlled/replay.hpp).
//
// Only choices are on it: cuts are made where a run is recorded, and a replay is not.
#pragma once

#include <span>
#include <string>

#include "control/board.hpp"
#include "explore/schedule.hpp"
#include "support/result.hpp"

namespace heddle::explore {

class ReplayBoard {
 public:
  // `places`: those of the schedule's sites.
  static Result<ReplayBoard> create(const Schedule& schedule, std::span<const control::Place> places);
  ReplayBoard(ReplayBoard&& other) noexcept;
  ReplayBoard& operator=(ReplayBoard&&) = delete;
  ~ReplayBoard();

  // heddle_bug_is_next() is called before the last `steps` of the schedule.
  void stop_before_last(u32 steps);
  // The variable that leads the program here.
  std::string variable() const;
  // After the run: where it left the schedule, empty if it did not.
  std::string divergence() const;

 private:
  ReplayBoard(int descriptor, control::Board* board) : descriptor_(descriptor), board_(board) {}
  int descriptor_;
  control::Board* board_;
};

}  // namespace heddle::explore
