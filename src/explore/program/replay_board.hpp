// A schedule on a board, for a normal run of the program under the verification runtime
// (src/runtime/controlled/replay.hpp).
//
// It holds only choices: cuts exist only in recorded runs, and a replay is not recorded.
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
  // The environment variable that points the program to the board.
  std::string variable() const;
  // After the run: where it left the schedule; empty if it followed it.
  std::string divergence() const;

 private:
  ReplayBoard(int descriptor, control::Board* board) : descriptor_(descriptor), board_(board) {}
  int descriptor_;
  control::Board* board_;
};

}  // namespace heddle::explore
