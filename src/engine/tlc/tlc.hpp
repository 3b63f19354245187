// Thread-local concurrency (Protze et al., HPDC 2018): vector clocks of operating-system threads, and one *window*
// [B:E] of one thread: what that thread ran in it is concurrent with the current task.
//
//   Example: on thread 0, main creates a (clock 4) and b (clock 5) and waits; thread 0 runs a (clocks 8 and 9), then
//   b. When b starts, its clock is main's at its creation, and its window is [5:10]: main's clock 6 and all of a are
//   concurrent with b, clocks up to 5 are before it.
//
// Rules (1) to (7) of the paper: tick, signal, wait, and their TLC forms init (a task is created), start (it is
// scheduled), tlc-signal and tlc-wait (dependences). A suspended task is initiated again and started again. Two
// things differ from the printed rules, by which some ordered accesses would be concurrent:
//   - Start takes the greater of the two clocks of the creating thread. The printed one takes that of the starting
//     thread, which on another thread than the creator's can be older than the creation.
//   - The first case of Up': a synchronisation clock without a window takes that of the signalling task. If others
//     have signalled before, their clocks are cut off the window; as printed, they come back.
//
// One window is an approximation, as the paper says (section 8.2): docs/engines.md says what it misses and how often.
// Every reported race is a race of the history.
//
// The exact form (`--exact`): the clock entry of each thread is a list of intervals. That is happens-before between
// tasks, at the cost of lists that grow with the tasks of a thread.
#pragma once

#include "engine/engine.hpp"

namespace heddle::engine {

std::unique_ptr<Engine> make_tlc(const Options& options);

}  // namespace heddle::engine
