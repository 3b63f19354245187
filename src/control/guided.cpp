#include "control/guided.hpp"

#include <stdarg.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace heddle::control {
namespace {

Board* g_board = nullptr;
int g_socket = -1;

bool counts(Op op) { return g_board->mode == BoardMode::kExplore || op != Op::kGoOn; }

// A path such as 0.2.1, for messages.
const char* path(const Actor* actor, char* text, usize size) {
  if (!actor->parent) return snprintf(text, size, "0"), text;
  path(actor->parent, text, size);
  usize length = 0;
  while (text[length]) ++length;
  snprintf(text + length, size - length, ".%u", actor->index);
  return text;
}

void path_of_number(u32 number, char* text, usize size) {
  if (number == 0) {
    snprintf(text, size, "0");
    return;
  }
  path_of_number(g_board->names[number].parent, text, size);
  usize length = 0;
  while (text[length]) ++length;
  snprintf(text + length, size - length, ".%u", g_board->names[number].index);
}

[[noreturn]] void diverged(u32 wanted, const char* why) {
  char name[256];
  path_of_number(wanted, name, sizeof name);
  snprintf(g_board->problem, sizeof g_board->problem, "step %u is to be made by %s, %s", g_board->steps, name,
           why);
  end_execution(BoardEnd::kDiverged);
}

Actor* find(u32 number) {
  Actor* actor = first_actor();
  while (actor && actor->number != number) actor = actor->next;
  return actor;
}

// In a replay, cuts are no steps. Is the actor at the choice that comes next, and not just somewhere before it?
bool is_next(const Actor* actor) {
  return enabled(actor) &&
         (g_board->mode == BoardMode::kExplore || actor->pending.op == g_board->expected[g_board->steps]);
}

// Who stands where nothing counts goes on to where something does; `wanted` first.
Actor* before_its_choice(Actor* wanted) {
  if (wanted && wanted->pending.op == Op::kGoOn && enabled(wanted)) return wanted;
  for (Actor* actor = first_actor(); actor; actor = actor->next)
    if (actor->pending.op == Op::kGoOn && enabled(actor)) return actor;
  return nullptr;
}

Actor* next_of_prefix(Actor* running) {
  u32 number = g_board->prefix[g_board->steps];
  Actor* wanted = find(number);
  if (wanted && is_next(wanted)) return wanted;
  if (g_board->mode == BoardMode::kReplay)
    if (Actor* other = before_its_choice(wanted)) return other;
  if (!wanted) diverged(number, "which is not there (it has ended, or was never made)");
  // It ran out of time, or came from outside: that is decided elsewhere, and checked in note_step.
  if (!enabled(wanted) &&
      (wanted->pending.deadline != kNoDeadline || wanted->pending.outside || wanted->state == State::kAway))
    return kGreedy.choose(running);
  if (enabled(wanted)) return wanted;  // note_step says what it does instead
  char why[256];
  snprintf(why, sizeof why, "which cannot go on: it %s",
           wanted->pending.what[0] ? wanted->pending.what : "waits");
  diverged(number, why);
}

bool avoided(const Actor* actor) {
  for (u32 i = 0; i < g_board->avoided; ++i)
    if (g_board->avoid[i] == actor->number) return true;
  return false;
}

Actor* ask() {
  g_board->enabled = 0;
  for (Actor* actor = first_actor(); actor; actor = actor->next)
    if (enabled(actor)) g_board->can_go_on[g_board->enabled++] = actor->number;
  auto message = Message::kAsk;
  if (syscall(SYS_write, g_socket, &message, 1) != 1 || syscall(SYS_read, g_socket, &message, 1) != 1)
    end_execution(BoardEnd::kStopped);
  if (g_board->answer == Board::kNobody) end_execution(BoardEnd::kStopped);
  return find(g_board->answer);
}

Actor* guided(Actor* running) {
  if (g_board->steps < g_board->prefix_length) return next_of_prefix(running);
  Actor* chosen = kGreedy.choose(running);
  if (g_board->avoided == 0 || !chosen || !avoided(chosen)) return chosen;
  Actor* polite = nullptr;
  for (Actor* actor = first_actor(); actor; actor = actor->next) {
    if (!enabled(actor) || avoided(actor)) continue;
    if (!actor->pending.yields) return actor;
    if (!polite || actor->ran < polite->ran) polite = actor;
  }
  return polite ? polite : ask();
}

u32 number_of(u32 parent, u32 index) {
  for (u32 i = 1; i < g_board->actors; ++i)
    if (g_board->names[i].parent == parent && g_board->names[i].index == index) return i;
  if (g_board->actors == Board::kMostActors) {
    snprintf(g_board->problem, sizeof g_board->problem, "more than %u threads and tasks", Board::kMostActors);
    end_execution(BoardEnd::kFull);
  }
  g_board->names[g_board->actors] = {parent, index};
  return g_board->actors++;
}

StepRecord record_of(const Actor* actor, const Pending& pending) {
  return {actor->number, pending.op, pending.write, actor->outcome, pending.takes, pending.object};
}

bool is_for_another(Actor* running) {
  if (g_board->steps >= g_board->prefix_length || g_board->prefix[g_board->steps] == running->number)
    return false;
  const Actor* wanted = find(g_board->prefix[g_board->steps]);
  return g_board->mode == BoardMode::kExplore || (wanted && is_next(wanted));
}

Strategy g_guided{guided, number_of, nullptr, false, false, is_for_another};

}  // namespace

void follow(Board* board, int socket) {
  g_board = board;
  g_socket = socket;
  g_guided.explores = board->choose_at_atomics;
  g_guided.splits_acquisitions = board->split_acquisitions;
  set_strategy(&g_guided);
}

Board* board() { return g_board; }

void note_step(Actor* actor, const Pending& pending) {
  if (!counts(pending.op)) return;
  u32 at = g_board->steps;
  if (at == Board::kMostSteps) {
    snprintf(g_board->problem, sizeof g_board->problem, "more than %u steps", Board::kMostSteps);
    end_execution(BoardEnd::kFull);
  }
  if (at < g_board->prefix_length && g_board->prefix[at] != actor->number) {
    char name[256], why[320];
    snprintf(why, sizeof why, "but %s goes on", path(actor, name, sizeof name));
    diverged(g_board->prefix[at], why);
  }
  if (at < g_board->prefix_length && g_board->mode == BoardMode::kReplay &&
      g_board->expected[at] != pending.op) {
    char why[320];
    snprintf(why, sizeof why, "but not so: it %s", pending.what[0] ? pending.what : "does something else");
    diverged(g_board->prefix[at], why);
  }
  g_board->trace[at] = record_of(actor, pending);
  g_board->steps = at + 1;
  g_board->assumptions = assumptions();
}

void end_execution(BoardEnd end) {
  g_board->end = end;
  for (const Actor* actor = first_actor(); actor && end == BoardEnd::kDeadlock; actor = actor->next)
    if (actor->state == State::kWaits) g_board->waits[g_board->waiting++] = record_of(actor, actor->pending);
  for (;;) syscall(SYS_exit_group, 0);
}

}  // namespace heddle::control
