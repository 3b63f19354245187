// What has to be set up once, before the program starts threads.
#pragma once

namespace heddle::threads {

void start_actors();
void start_signals();
void start_fork();
// Is no thread of the process on its way between its creation and its end, but the initial one?
bool only_initial_thread();
// Is it our functions that modules of the process call? Not if this library came with a plugin, behind the C library.
bool hooks_are_in_front();
void start_exit();
void start_final_flush();
void start_spin_watchdog();

}  // namespace heddle::threads
