#include "explore/model/generate.hpp"

#include <algorithm>

#include "explore/execution.hpp"

namespace heddle::explore::model {
namespace {

class Generator {
 public:
  Generator(const Shape& shape, event::Rng& rng) : shape_(shape), rng_(rng) {}

  Program run() {
    u32 actors = rng_.between(2, shape_.actors);
    program_.bodies.resize(actors);
    // Most actors are spawned by the initial one.
    std::vector<std::vector<u32>> children(actors);
    for (u32 child = 1; child < actors; ++child)
      children[rng_.percent(75) ? 0 : rng_.below(child)].push_back(child);
    for (u32 i = 0; i < actors; ++i) {
      body_ = &program_.bodies[i];
      left_ = rng_.between(1, shape_.instructions);
      // Mostly all are spawned at once, and joined at the end, if at all.
      for (usize c = 0; c < children[i].size(); ++c) {
        if (rng_.percent(15)) block(rng_.between(1, 2), {});
        add(Kind::kSpawn, children[i][c]);
      }
      if (i != 0 || rng_.percent(60)) block(left_, {});
      for (u32 c = 0; c < children[i].size(); ++c)
        if (rng_.percent(30)) add(Kind::kJoin, c);
      if (rng_.percent(20)) block(1, {});
    }
    return std::move(program_);
  }

 private:
  void add(Kind kind, u32 index, int value = 0, bool write = true) {
    body_->push_back({kind, index, value, write});
  }

  bool protects(const std::vector<Held>& held, u32 variable) const {
    return std::any_of(held.begin(), held.end(),
                       [&](const Held& h) { return h.lock == variable % shape_.locks && h.write; });
  }

  // Most variables have a lock that protects them; with atomics, those with odd numbers are atomic.
  void access(const std::vector<Held>& held) {
    u32 variable = rng_.below(shape_.variables);
    bool write = rng_.percent(50);
    if (shape_.protected_percent != 0 && rng_.percent(shape_.protected_percent) &&
        !protects(held, variable)) {
      bool shared = std::any_of(held.begin(), held.end(),
                                [&](const Held& h) { return h.lock == variable % shape_.locks; });
      if (!shared) return;
      write = false;
    }
    add(write ? Kind::kWrite : Kind::kRead, variable, static_cast<int>(rng_.between(0, 2)));
  }

  void section(std::vector<Held> held, bool tries) {
    u32 lock = rng_.below(shape_.locks);
    for (const Held& h : held)
      if (h.lock == lock) return access(held);
    if (held.size() >= shape_.nesting) return access(held);
    bool write = !rng_.percent(shape_.reader_percent);
    held.push_back({lock, write});
    usize jump = 0;
    add(tries ? Kind::kTryLock : Kind::kLock, lock, 0, write);
    if (tries) {
      jump = body_->size();
      add(Kind::kJumpUnless, 0, 1);
    }
    u32 size = rng_.between(1, 2);
    for (u32 i = 0; i < size; ++i) {
      if (held.size() < shape_.nesting && rng_.percent(25))
        block(1, held);
      else
        access(held);
    }
    add(Kind::kUnlock, lock);
    if (tries) (*body_)[jump].index = static_cast<u32>(body_->size());
  }

  u32 atomic_variable() { return shape_.variables + rng_.below(2); }

  // Polls: an atomic variable, one of two, a lock, a permit, or a variable under its lock.
  void poll() {
    const u32 start = static_cast<u32>(body_->size());
    const int wanted = static_cast<int>(rng_.between(1, 2));
    auto again_unless = [&](int value) {
      if (rng_.percent(50)) add(Kind::kPause, 0);
      add(Kind::kJumpUnless, start, value);
    };
    switch (rng_.below(5)) {
      case 0:
        add(Kind::kAtomicRead, atomic_variable());
        return again_unless(wanted);
      case 1: {
        add(Kind::kAtomicRead, atomic_variable());
        const usize jump = body_->size();
        add(Kind::kJumpUnless, 0, 0);
        add(Kind::kAtomicRead, atomic_variable());
        again_unless(wanted);
        (*body_)[jump].index = static_cast<u32>(body_->size());
        return;
      }
      case 2: {
        const u32 lock = rng_.below(shape_.locks);
        add(Kind::kTryLock, lock);
        again_unless(1);
        access({{lock, true}});
        return add(Kind::kUnlock, lock);
      }
      case 3:
        add(Kind::kTimedWait, rng_.below(shape_.semaphores));
        return again_unless(1);
      default: {
        const u32 variable = rng_.below(shape_.variables);
        add(Kind::kLock, variable % shape_.locks);
        add(Kind::kRead, variable);
        add(Kind::kUnlock, variable % shape_.locks);
        return again_unless(wanted);
      }
    }
  }

  void block(u32 size, const std::vector<Held>& held) {
    for (u32 i = 0; i < size; ++i) {
      u32 total = shape_.access + shape_.section + shape_.try_section + shape_.atomic + shape_.post +
                  shape_.wait + shape_.timed_wait + shape_.pause + shape_.poll + shape_.branch;
      u32 dice = rng_.below(total);
      auto chosen = [&](u32 weight) {
        if (dice < weight) return true;
        dice -= weight;
        return false;
      };
      if (chosen(shape_.access)) {
        access(held);
      } else if (chosen(shape_.section)) {
        section(held, false);
      } else if (chosen(shape_.try_section)) {
        section(held, true);
      } else if (chosen(shape_.atomic)) {
        u32 variable = shape_.variables + rng_.below(2);
        Kind kinds[] = {Kind::kAtomicRead, Kind::kAtomicWrite, Kind::kAtomicAdd};
        add(kinds[rng_.below(3)], variable, static_cast<int>(rng_.between(1, 2)));
      } else if (chosen(shape_.post)) {
        add(Kind::kPost, rng_.below(shape_.semaphores));
      } else if (chosen(shape_.wait)) {
        add(Kind::kWait, rng_.below(shape_.semaphores));
      } else if (chosen(shape_.timed_wait)) {
        add(Kind::kTimedWait, rng_.below(shape_.semaphores));
      } else if (chosen(shape_.pause)) {
        add(Kind::kPause, 0);
      } else if (chosen(shape_.poll)) {
        if (held.empty()) poll();
      } else {
        usize jump = body_->size();
        add(Kind::kJumpUnless, 0, static_cast<int>(rng_.below(2)));
        if (rng_.percent(50))
          section(held, false);
        else
          access(held);
        (*body_)[jump].index = static_cast<u32>(body_->size());
      }
    }
  }

  const Shape& shape_;
  event::Rng& rng_;
  Program program_;
  Body* body_ = nullptr;
  u32 left_ = 0;
};

}  // namespace

Shape random_shape(event::Rng& rng) {
  Shape shape;
  shape.actors = rng.percent(50) ? 2 : 3;
  shape.instructions = shape.actors == 2 ? 5 : 3;
  // A few larger ones: some mistakes need four actors. They cost as much as all others together.
  if (rng.percent(1)) shape.actors = 4;
  shape.locks = rng.between(1, 3);
  shape.variables = rng.between(1, 3);
  shape.nesting = rng.percent(60) ? 2 : 1;
  shape.protected_percent = rng.percent(75) ? 100 : 70;
  if (rng.percent(25)) shape.reader_percent = 50;
  if (rng.percent(20)) shape.try_section = 3;
  if (rng.percent(30)) shape.atomic = 2;
  if (rng.percent(25)) shape.post = shape.wait = 1;
  if (rng.percent(20)) shape.timed_wait = shape.post = 1;
  if (rng.percent(20)) shape.pause = 2;
  if (rng.percent(20)) shape.poll = shape.atomic = shape.post = 1;
  // These have many more states.
  if (shape.poll + shape.timed_wait + shape.pause != 0) {
    shape.actors = std::min(shape.actors, 3u);
    shape.instructions = 3;
  }
  return shape;
}

Program generate(const Shape& shape, event::Rng& rng) { return Generator(shape, rng).run(); }

Program shrink(Program program, const std::function<bool(const Program&)>& fails) {
  for (bool smaller = true; smaller;) {
    smaller = false;
    for (usize body = 0; body < program.bodies.size(); ++body)
      for (usize at = program.bodies[body].size(); at-- > 0;) {
        Program less = program;
        Body& instructions = less.bodies[body];
        // Removes a whole section, or only its body.
        Instruction gone = instructions[at];
        instructions.erase(instructions.begin() + static_cast<long>(at));
        auto jumps = [&](usize erased) {
          for (Instruction& i : instructions)
            if (i.kind == Kind::kJumpUnless && i.index > erased) --i.index;
        };
        jumps(at);
        if (gone.kind == Kind::kUnlock) continue;
        if (gone.kind == Kind::kLock || gone.kind == Kind::kTryLock) {
          for (usize end = at; end < instructions.size(); ++end)
            if (instructions[end].kind == Kind::kUnlock && instructions[end].index == gone.index) {
              instructions.erase(instructions.begin() + static_cast<long>(end));
              jumps(end);
              break;
            }
          if (gone.kind == Kind::kTryLock && at < instructions.size() &&
              instructions[at].kind == Kind::kJumpUnless) {
            instructions.erase(instructions.begin() + static_cast<long>(at));
            jumps(at);
          }
        }
        if (!fails(less)) continue;
        program = std::move(less);
        smaller = true;
        at = std::min(at, program.bodies[body].size());
      }
  }
  return program;
}

}  // namespace heddle::explore::model
