// Many random programs of a model, each checked by one judge, which compares an engine with its oracle.
//
// Programs run in child processes, some thousands in each: the engine never frees task records, and a crash counts as
// a disagreement. A disagreement is shrunk, and printed as a listing and as C++ for a regression test.
//
// HEDDLE_ORACLE_PROGRAMS sets the number (100,000 by default), HEDDLE_ORACLE_SEED the first one (1).
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "event/random/generate.hpp"
#include "event/random/schedule.hpp"

namespace heddle::event {

// The engine's error on this run, or nothing.
using Judge = std::function<std::optional<std::string>(const History&)>;

// One program in one schedule, determined by its number.
Rng numbered_rng(Model model, u64 number);
Program numbered_program(Model model, u64 number);
Run numbered_run(Model model, u64 number);

u64 campaign_programs();
u64 campaign_seed();

// What becomes of a run before it is judged, and shrunk: another run that is legal. `rng` is the program's own.
using Change = std::function<History(History, Rng& rng)>;

// An empty string, or the report of the first disagreement.
std::string run_campaign(Model model, const Judge& judge, u64 programs = campaign_programs(),
                         const Change& change = {});

}  // namespace heddle::event
