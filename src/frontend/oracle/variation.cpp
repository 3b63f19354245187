#include "frontend/oracle/variation.hpp"

#include <algorithm>

namespace heddle::oracle {
namespace {

using namespace event;

// Generated programs touch cells of eight bytes; here is where each byte of them lies.
struct Layout {
  static constexpr u32 kCells = 2;
  u64 cell[kCells];
  u32 scale;  // bytes that stand for one

  u64 place(u64 address) const { return cell[std::min<u64>(address / 8, kCells - 1)] + address % 8 * scale; }
  u64 end(u64 address) const { return place(address - 1) + scale; }  // of what ends there
  bool adjacent() const { return cell[1] == cell[0] + 8 * scale; }
};

constexpr u64 kLine = 64, kBlock = 256, kPage = 4096;
// Another block, or line, that has the same place in the access sets of a thread (block_set and line_set in
// access_sets.hpp).
constexpr u64 same_place(u64 address) { return (address + (u64{1} << 23)) ^ kBlock; }
constexpr u64 same_place_of_line(u64 address) { return (address + (u64{1} << 21)) ^ kLine; }

Layout layout_of(Rng& rng, bool small) {
  constexpr u32 kScales[] = {1, 1, 1, 1, 1, 2, 4, 4, 4, 8, 16, 32};
  Layout layout;
  layout.scale = kScales[rng.below(small ? 9 : 12)];
  if (!small && rng.below(400) == 0) layout.scale = 1 << 14;  // more blocks than may be pending
  const u64 size = u64{8} * layout.scale;
  // Anywhere in a block, or over the end of one, or of a page.
  const u64 page = kPage * rng.between(64, 67);
  u64 begin = page + 8 * rng.below(64);
  if (rng.percent(30))
    begin = page + (rng.percent(50) ? kBlock : kPage) * rng.between(1, 2) - size / 8 * rng.below(9);
  if (rng.percent(40)) begin += rng.percent(50) ? 4 : rng.below(8);
  layout.cell[0] = begin;
  const u64 others[] = {begin + size, begin + std::max(size, kBlock), begin + std::max(size, kPage),
                        same_place(begin), same_place_of_line(begin)};
  layout.cell[1] = others[rng.percent(50) ? 0 : rng.below(5)];
  return layout;
}

// Who makes an access is a call of a function: of one for all, of one for each task, of any of a few, of one for each
// access.
enum class Calls : u8 { kOne, kOfTask, kFew, kMany };

// Which threads run the tasks that are not threads.
enum class Threads : u8 { kAsScheduled, kOne, kOneEach };

class Variation {
 public:
  Variation(const History& history, Rng& rng, bool small)
      : history_(history),
        rng_(rng),
        layout_(layout_of(rng, small)),
        calls_(static_cast<Calls>(rng.below(4))) {
    for (u32& by : objects_) by = kObjects * rng.below(3);
    // Which accesses are to a thread's own memory depends on who runs what.
    const bool bound = std::any_of(history.begin(), history.end(), [](const Event& event) {
      auto* access = std::get_if<Access>(&event);
      return std::holds_alternative<Bind>(event) || (access && access->bound);
    });
    if (!bound) threads_ = static_cast<Threads>(rng.below(3));
    repeat_percent_ = rng.percent(50) ? 0 : small ? 10 : 25;
    odd_percent_ = rng.percent(50) ? 0 : 20;
  }

  History run() {
    for (const Event& event : history_) {
      if (auto* made = std::get_if<Access>(&event))
        access(*made);
      else if (auto* memory = std::get_if<NewMemory>(&event))
        new_memory(*memory);
      else
        other(event);
    }
    return std::move(made_);
  }

 private:
  u32 thread_of(u32 task, u32 thread) const {
    return threads_ == Threads::kAsScheduled ? thread : threads_ == Threads::kOne ? 1 : 2 + task % 6;
  }

  void other(Event event) {
    if (auto* e = std::get_if<Begin>(&event)) e->thread = thread_of(e->task, e->thread);
    if (auto* e = std::get_if<TeamBegin>(&event)) e->thread = thread_of(e->task, e->thread);
    if (auto* e = std::get_if<WorkBegin>(&event)) e->thread = thread_of(e->task, e->thread);
    if (auto* e = std::get_if<Signal>(&event)) e->object += objects_[e->object % kKnown];
    if (auto* e = std::get_if<Await>(&event)) e->object += objects_[e->object % kKnown];
    made_.push_back(std::move(event));
  }

  u32 call(u32 task) {
    switch (calls_) {
      case Calls::kOne:
        return 0;
      case Calls::kOfTask:
        return task % kCalls;
      case Calls::kFew:
        return rng_.below(3);
      case Calls::kMany:
        return ++last_call_ % kCalls;
    }
    return 0;
  }
  Form form(const Access& access) {
    if (rng_.percent(60)) return Form::kUsual;
    const Form form = static_cast<Form>(rng_.below(kForms));
    return form == Form::kCompound && !access.write ? Form::kUsual : form;
  }

  void access(const Access& original) {
    Access access = original;
    access.address = layout_.place(original.address);
    access.size = static_cast<u32>(layout_.end(original.address + original.size) - access.address);
    if (rng_.percent(odd_percent_)) cut(access);
    if (rng_.percent(odd_percent_) && layout_.adjacent()) access.size += rng_.below(8 * layout_.scale);
    // Vectors are the widest that an atomic operation can be.
    if (access.atomic) access.size = std::min(access.size, 16u);
    access.site = site(call(access.task), form(access));
    const bool in_pieces = access.size > 1 && access.size <= 32 && rng_.percent(10);
    in_pieces ? piece_by_piece(access) : made_.push_back(access);
    while (rng_.percent(repeat_percent_)) {
      Access again = access;
      if (rng_.percent(30)) cut(again);
      if (rng_.percent(30)) again.write = !again.write;
      again.site = site(call(again.task), form(again));
      made_.push_back(again);
    }
  }
  // To some of its bytes.
  void cut(Access& access) {
    const u32 from = rng_.below(access.size);
    access.address += from;
    access.size = 1 + rng_.below(access.size - from);
  }
  // As a walk over text does.
  void piece_by_piece(Access access) {
    const u64 end = access.address + access.size;
    const u32 piece = rng_.percent(70) ? 1 : 2;
    for (; access.address < end; access.address += access.size) {
      access.size = static_cast<u32>(std::min<u64>(piece, end - access.address));
      made_.push_back(access);
    }
  }

  void new_memory(const NewMemory& e) {
    for (u64 from = e.address, end = e.address + e.size; from < end;) {
      const u64 stop = std::min(end, from / 8 * 8 + 8);
      made_.push_back(NewMemory{e.task, layout_.place(from), layout_.end(stop) - layout_.place(from)});
      from = stop;
    }
  }

  const History& history_;
  Rng& rng_;
  Layout layout_;
  Calls calls_;
  Threads threads_ = Threads::kAsScheduled;
  static constexpr u32 kKnown = 4;  // more than Shape::objects has
  u32 objects_[kKnown];
  u32 repeat_percent_, odd_percent_;
  u32 last_call_ = 0;
  History made_;
};

}  // namespace

History vary(History history, Rng& rng) { return Variation(history, rng, false).run(); }
History vary_a_little(History history, Rng& rng) { return Variation(history, rng, true).run(); }

}  // namespace heddle::oracle
