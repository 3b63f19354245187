#include "confirm/minimise.hpp"

#include <algorithm>
#include <set>

namespace heddle::confirm {
namespace {

struct Block {
  usize begin, end;
};

std::vector<Block> blocks_of(const Choices& choices) {
  std::vector<Block> blocks;
  for (usize i = 0; i < choices.size(); ++i)
    if (i > 0 && choices[i].actor == choices[i - 1].actor)
      blocks.back().end = i + 1;
    else
      blocks.push_back({i, i + 1});
  return blocks;
}

// Moves the steps of [from, to) directly before those of [before, ...).
Choices with_moved(Choices choices, Block block, usize before) {
  const auto at = [&](usize i) { return choices.begin() + static_cast<std::ptrdiff_t>(i); };
  if (before <= block.begin)
    std::rotate(at(before), at(block.begin), at(block.end));
  else
    std::rotate(at(block.begin), at(block.end), at(before));
  return choices;
}

// Variants that may need fewer switches.
std::vector<Choices> simpler(const Choices& choices) {
  std::vector<Choices> all;
  // Greedy from some point on.
  for (usize length = 0; length < choices.size(); length = (length + choices.size() + 1) / 2)
    all.emplace_back(choices.begin(), choices.begin() + static_cast<std::ptrdiff_t>(length));
  std::set<explore::ActorNumber> actors;
  for (const explore::Choice& choice : choices) actors.insert(choice.actor);
  for (const explore::ActorNumber actor : actors) {
    Choices without = choices;
    std::erase_if(without, [&](const explore::Choice& choice) { return choice.actor == actor; });
    all.push_back(std::move(without));
  }
  const std::vector<Block> blocks = blocks_of(choices);
  for (usize i = 0; i < blocks.size(); ++i)
    for (usize j = i + 1; j < blocks.size(); ++j) {
      if (choices[blocks[i].begin].actor != choices[blocks[j].begin].actor) continue;
      all.push_back(with_moved(choices, blocks[j], blocks[i].end));
      all.push_back(with_moved(choices, blocks[i], blocks[j].begin));
      break;
    }
  return all;
}

}  // namespace

usize switches(const Choices& choices) {
  const usize blocks = blocks_of(choices).size();
  return blocks == 0 ? 0 : blocks - 1;
}

Choices minimise(Choices choices, const std::function<bool(const Choices&)>& shows, u32 most) {
  for (bool better = true; better;) {
    better = false;
    for (Choices& candidate : simpler(choices)) {
      const bool shorter = candidate.size() < choices.size();
      if (switches(candidate) > switches(choices) || (!shorter && switches(candidate) == switches(choices)))
        continue;
      if (most-- == 0) return choices;
      if (!shows(candidate)) continue;
      choices = std::move(candidate);
      better = true;
      break;
    }
  }
  return choices;
}

}  // namespace heddle::confirm
