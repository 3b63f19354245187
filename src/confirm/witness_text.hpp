// A confirmed finding as a schedule: the steps, by names that are stable across runs, with a comment for people.
#pragma once

#include "confirm/confirmer.hpp"
#include "explore/schedule.hpp"

namespace heddle::confirm {

explore::Schedule schedule_of(const Target& target, const Confirmation& confirmation,
                              const explore::ActorNames& names, const std::vector<std::string>& command);

}  // namespace heddle::confirm
