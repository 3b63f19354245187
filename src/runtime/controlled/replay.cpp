#include "runtime/controlled/replay.hpp"

#include <stdlib.h>

#include "base/text.hpp"
#include "control/guided.hpp"
#include "runtime/controlled/places.hpp"
#include "runtime/controlled/shared_memory.hpp"

namespace heddle::replay {
namespace {

control::Board* g_board = nullptr;

// A schedule begins where executions part: what the initial thread did before is not in it.
void begin() {
  control::before_first_actor = nullptr;
  control::on_step = [](u64, control::Actor* actor, const control::Pending& pending) {
    control::note_step(actor, pending);
  };
  places::load(*g_board);
  control::follow(g_board, -1);
  control::cut();  // where the first step of an exploration begins
}

}  // namespace

bool attach() {
  const char* number = environment(control::kBoardDescriptor);
  if (!number) return false;
  g_board = map_board(static_cast<int>(read_number(number)));
  if (g_board) control::before_first_actor = begin;
  return g_board != nullptr;
}

}  // namespace heddle::replay
