#include "explore/wakeup.hpp"

#include <algorithm>
#include <numeric>
#include <unordered_map>

namespace heddle::explore {

Wakeup::Wakeup(const Analysis& analysis, const Reversal& reversal) : uncertain_(reversal.uncertain) {
  add_steps(analysis, reversal.kept);
  items_.push_back({reversal.actor, nullptr, reversal.needed, ~u32{0}});
}

Wakeup::Wakeup(const Analysis& analysis, u32 from, ActorNumber last) {
  std::vector<u32> steps(analysis.size() - from);
  std::iota(steps.begin(), steps.end(), from);
  add_steps(analysis, steps);
  if (last == ActorNames::kNoActor) return;
  Item item{last, nullptr, {}, ~u32{0}};
  if (auto previous = analysis.previous(analysis.size(), last); previous && *previous >= from)
    item.needs.push_back(*previous);
  items_.push_back(std::move(item));
}

void Wakeup::add_steps(const Analysis& analysis, const std::vector<u32>& steps) {
  auto kept = [&](u32 step) { return std::binary_search(steps.begin(), steps.end(), step); };
  std::unordered_map<ActorNumber, u32> last;  // of each actor
  for (u32 step : steps) {
    const Step& made = analysis.execution().steps[step];
    Item item{made.actor, analysis.footprint(step), {}, step};
    if (auto previous = last.find(made.actor); previous != last.end()) item.needs.push_back(previous->second);
    last[made.actor] = step;
    for (u32 earlier : made.after)
      if (kept(earlier)) item.needs.push_back(earlier);
    for (u32 earlier : analysis.dependences(step))
      if (kept(earlier)) item.needs.push_back(earlier);
    items_.push_back(std::move(item));
  }
}

void Wakeup::settle_last(FootprintRef footprint) {
  Item& last = items_.back();
  last.footprint = std::move(footprint);
  for (const Item& item : items_)
    if (&item != &last && item.actor != last.actor && dependent(*item.footprint, *last.footprint))
      last.needs.push_back(item.id);
}

Answer Wakeup::begins_with(ActorNumber actor, const FootprintRef& footprint) const {
  Answer answer = Answer::kYes;
  for (const Item& item : items_) {
    if (item.actor == actor) {
      // A known step: is it the first? The unknown one: all items before it were compared.
      if (item.footprint != nullptr) return item.needs.empty() ? Answer::kYes : Answer::kNo;
      return item.needs.empty() ? answer : Answer::kNo;
    }
    if (footprint == nullptr) {
      answer = Answer::kUnknown;
    } else if (item.footprint == nullptr) {
      if (footprint == turned_) return Answer::kNo;
      answer = Answer::kUnknown;
    } else if (dependent(*item.footprint, *footprint)) {
      // A known step of the actor may follow and decide; the others need not be compared.
      return Answer::kNo;
    }
  }
  return answer;
}

void Wakeup::remove(ActorNumber actor) {
  auto item = std::find_if(items_.begin(), items_.end(), [&](const Item& i) { return i.actor == actor; });
  if (item == items_.end()) return;
  u32 id = item->id;
  items_.erase(item);
  for (Item& other : items_) std::erase(other.needs, id);
}

}  // namespace heddle::explore
