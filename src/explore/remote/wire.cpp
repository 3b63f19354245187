#include "explore/remote/wire.hpp"

namespace heddle::explore {
namespace {

constexpr usize kNumber = sizeof(u64);

}  // namespace

void WireWriter::actors(const std::vector<ActorNumber>& all) {
  number(all.size());
  for (ActorNumber actor : all) number(actor);
}

void WireWriter::names(const ActorNames& names, usize& known) {
  usize size = names.size();
  number(size - known);
  for (; known < size; ++known) {
    ActorName name = names[static_cast<ActorNumber>(known)];
    number(name.parent);
    number(name.index);
  }
}

void WireWriter::step(const Step& step) {
  number(step.actor);
  number(step.task);
  number(static_cast<u64>(step.op));
  number(step.object);
  number(step.repeats * 4 + step.write * 2 + step.succeeded);
  for (const auto* locks :
       {&step.held, &step.gained, &step.given, &step.pulsed, &step.looks.locks, &step.looks.held}) {
    number(locks->size());
    for (const Held& held : *locks) number(held.lock), number(held.write);
  }
  for (const auto* syncs : {&step.syncs, &step.looks.syncs}) {
    number(syncs->size());
    for (const Sync& sync : *syncs) number(sync.object), number(sync.write);
  }
  for (const auto* accesses : {&step.accesses, &step.looks.reads}) {
    number(accesses->size());
    for (const Access& access : *accesses) {
      number(access.address);
      number(u64{access.size} << 32 | access.site);
      number(u64{access.bound_to} << 3 | u64{access.fresh} << 2 | u64{access.write} << 1 |
             u64{access.atomic});
    }
  }
  for (const auto* steps : {&step.after, &step.enabled_by}) {
    number(steps->size());
    for (u32 earlier : *steps) number(earlier);
  }
}

void WireWriter::execution(const Execution& execution) {
  number(static_cast<u64>(execution.end));
  number(execution.knows_by_dependence);
  number(execution.leaves_polls);
  text(execution.problem);
  for (const auto* steps : {&execution.steps, &execution.waiting}) {
    number(steps->size());
    for (const Step& each : *steps) step(each);
  }
}

u64 WireReader::number() {
  u64 value = 0;
  if (bytes_.size() < kNumber) {
    broken_ = true;
    bytes_ = {};
    return 0;
  }
  std::memcpy(&value, bytes_.data(), kNumber);
  bytes_.remove_prefix(kNumber);
  return value;
}

usize WireReader::count(usize size) {
  u64 value = number();
  if (value <= bytes_.size() / size) return value;
  broken_ = true;
  return 0;
}

std::string WireReader::text() {
  usize size = count(1);
  std::string words(bytes_.substr(0, size));
  bytes_.remove_prefix(size);
  return words;
}

ActorNumber WireReader::actor() {
  u64 value = number();
  if (value == Guide::kNobody) return Guide::kNobody;
  if (value < translation_.size()) return translation_[value];
  broken_ = true;
  return 0;
}

std::vector<ActorNumber> WireReader::actors() {
  std::vector<ActorNumber> all(count(kNumber));
  for (ActorNumber& each : all) each = actor();
  return all;
}

void WireReader::names(ActorNames& names) {
  for (usize i = count(2 * kNumber); i > 0; --i) {
    u64 parent = number(), index = number();
    if (translation_.empty()) {
      translation_.push_back(0);  // the initial actor, whose name is its number
      continue;
    }
    if (parent >= translation_.size()) {
      broken_ = true;
      return;
    }
    translation_.push_back(names.find_or_add({translation_[parent], static_cast<u32>(index)}));
  }
}

Step WireReader::step() {
  Step step;
  step.actor = actor();
  step.task = static_cast<u32>(number());
  step.op = static_cast<Op>(number());
  broken_ = broken_ || step.op > Op::kAccess;
  step.object = number();
  u64 flags = number();
  step.repeats = flags & 4;
  step.write = flags & 2;
  step.succeeded = flags & 1;
  for (auto* locks :
       {&step.held, &step.gained, &step.given, &step.pulsed, &step.looks.locks, &step.looks.held}) {
    locks->resize(count(2 * kNumber));
    for (Held& held : *locks) held.lock = number(), held.write = number() != 0;
  }
  for (auto* syncs : {&step.syncs, &step.looks.syncs}) {
    syncs->resize(count(2 * kNumber));
    for (Sync& sync : *syncs) sync.object = number(), sync.write = number() != 0;
  }
  for (auto* accesses : {&step.accesses, &step.looks.reads}) {
    accesses->resize(count(3 * kNumber));
    for (Access& access : *accesses) {
      access.address = number();
      u64 size = number(), bits = number();
      access.size = static_cast<u32>(size >> 32);
      access.site = static_cast<u32>(size);
      access.fresh = bits & 4;
      access.bound_to = static_cast<u32>(bits >> 3);
      access.write = bits & 2;
      access.atomic = bits & 1;
    }
  }
  for (auto* steps : {&step.after, &step.enabled_by}) {
    steps->resize(count(kNumber));
    for (u32& earlier : *steps) earlier = static_cast<u32>(number());
  }
  return step;
}

Execution WireReader::execution() {
  Execution execution;
  execution.end = static_cast<End>(number());
  broken_ = broken_ || execution.end > End::kAborted;
  execution.knows_by_dependence = number() != 0;
  execution.leaves_polls = number() != 0;
  execution.problem = text();
  for (auto* steps : {&execution.steps, &execution.waiting})
    for (usize i = count(kNumber); i > 0 && !broken_; --i) steps->push_back(step());
  // The steps in `after` are earlier than the step.
  for (usize i = 0; i < execution.steps.size(); ++i)
    for (u32 earlier : execution.steps[i].after) broken_ = broken_ || earlier >= i;
  for (const Step& step : execution.waiting)
    for (u32 earlier : step.after) broken_ = broken_ || earlier >= execution.steps.size();
  return broken_ ? Execution{} : execution;
}

}  // namespace heddle::explore
