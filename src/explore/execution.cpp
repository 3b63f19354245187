#include "explore/execution.hpp"

#include <charconv>

#include "base/check.hpp"

namespace heddle::explore {

ActorNumber ActorNames::find_or_add(const ActorName& name) {
  std::lock_guard lock(mutex_);
  auto [entry, is_new] =
      numbers_.try_emplace(u64{name.parent} << 32 | name.index, static_cast<ActorNumber>(names_.size()));
  if (is_new) names_.push_back(name);
  return entry->second;
}

ActorName ActorNames::operator[](ActorNumber actor) const {
  std::lock_guard lock(mutex_);
  HEDDLE_CHECK(actor < names_.size());
  return names_[actor];
}

usize ActorNames::size() const {
  std::lock_guard lock(mutex_);
  return names_.size();
}

std::string ActorNames::path(ActorNumber actor) const {
  std::lock_guard lock(mutex_);
  HEDDLE_CHECK(actor < names_.size());
  std::string path;
  for (; actor != 0; actor = names_[actor].parent) path = "." + std::to_string(names_[actor].index) + path;
  return "0" + path;
}

ActorNumber ActorNames::find_or_add_path(std::string_view path) {
  if (path.empty() || path[0] != '0') return kNoActor;
  path.remove_prefix(1);
  ActorNumber actor = 0;
  while (!path.empty()) {
    ActorName name{actor, 0};
    auto [end, error] = std::from_chars(path.data() + 1, path.data() + path.size(), name.index);
    if (path[0] != '.' || error != std::errc()) return kNoActor;
    path.remove_prefix(static_cast<usize>(end - path.data()));
    actor = find_or_add(name);
  }
  return actor;
}

}  // namespace heddle::explore
