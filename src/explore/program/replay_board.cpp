#include "explore/program/replay_board.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <utility>

#include "explore/program/shared_board.hpp"

namespace heddle::explore {

using control::Board;

Result<ReplayBoard> ReplayBoard::create(const Schedule& schedule, std::span<const control::Place> places) {
  auto shared = make_board();
  if (!shared) return Error{shared.error()};
  ReplayBoard result(shared->descriptor, shared->board);
  Board& board = *shared->board;
  board.mode = control::BoardMode::kReplay;
  board.split_acquisitions = board.repeat_polls = 1;
  if (!put_places(board, places)) return Error{"the schedule has too many places"};
  ActorNames names;
  for (const ScheduledStep& step : schedule.steps) {
    const ActorNumber actor = names.find_or_add_path(step.actor);
    if (board.prefix_length == Board::kMostSteps) return Error{"the schedule has too many steps"};
    board.prefix[board.prefix_length] = actor;
    board.finds_free[board.prefix_length] = step.finds_free;
    board.expected[board.prefix_length++] = step.op;
  }
  if (names.size() > Board::kMostActors) return Error{"the schedule has too many actors"};
  board.actors = static_cast<u32>(names.size());
  for (u32 i = 0; i < board.actors; ++i) board.names[i] = {names[i].parent, names[i].index};
  return result;
}

ReplayBoard::ReplayBoard(ReplayBoard&& other) noexcept
    : descriptor_(std::exchange(other.descriptor_, -1)), board_(std::exchange(other.board_, nullptr)) {}

ReplayBoard::~ReplayBoard() {
  if (board_) munmap(board_, sizeof(Board));
  if (descriptor_ >= 0) ::close(descriptor_);
}

void ReplayBoard::stop_before_last(u32 steps) {
  u32 first = board_->prefix_length;
  for (u32 found = 0; first > 0 && found < steps;)
    if (board_->expected[--first] != control::Op::kGoOn) ++found;
  board_->steering.debugged = first + 1;
}

std::string ReplayBoard::variable() const {
  return std::string(control::kBoardDescriptor) + "=" + std::to_string(descriptor_);
}

std::string ReplayBoard::divergence() const {
  if (board_->end == control::BoardEnd::kDiverged || board_->end == control::BoardEnd::kFull)
    return board_->problem;
  if (board_->end != control::BoardEnd::kRunning) return "";
  const auto left = std::span(board_->expected).subspan(0, board_->prefix_length).subspan(board_->steps);
  if (std::all_of(left.begin(), left.end(), [](control::Op op) { return op == control::Op::kGoOn; }))
    return "";
  return "the program ended after " + std::to_string(board_->steps) + " of " +
         std::to_string(board_->prefix_length) + " steps";
}

}  // namespace heddle::explore
