// Does the way of an access say of a program what all pairs of its accesses say?
//
// The promise (docs/USAGE.md, "What a clean run means"), as strictly as it is given:
//  - every reported pair is one: two strands, and in each an access to the byte, of the reported kind and from the
//    reported call, that race by the oracle, with that evidence;
//  - for every racing pair and every byte that both touch, a race in that byte was reported when one of the two was
//    checked, or what stands for it: an access of the same task, since its last release operation, or a read by a task
//    that shares its marks (races/shared_marks.hpp); a certain one if the pair's is certain. Accesses are checked when
//    their strand ends, so either of the two may come first.
// Where one of the two may be to memory of the thread, a report says under which condition it is none.
#pragma once

#include <optional>
#include <string>

#include "frontend/oracle/driver.hpp"

namespace heddle::oracle {

// What is wrong, or nothing. REQUIRES: observed is of the history.
std::optional<std::string> race_disagreement(const event::History& history, const Observed& observed);

// In a steered execution: before each access, repeated ones too, the thread could be stopped, for just these bytes; it
// need not where nothing could race with it.
std::optional<std::string> stop_disagreement(const event::History& history, const Observed& observed);

// Where data is annotated: is what was called broken what all triples say? For each annotated byte a violation was
// reported iff there is one, and each that was reported is a triple of accesses to that byte, by those tasks, of those
// kinds and from those calls.
std::optional<std::string> atomicity_disagreement(const event::History& history, const Observed& observed);

// In a recorded run: is what the tool reads what was done? Each task does the same, and touches the same bytes between
// the same events; and the same bytes race between the same tasks.
std::optional<std::string> recording_disagreement(const event::History& history, const Observed& observed);

}  // namespace heddle::oracle
