// Set-up that must happen once, before the program starts threads.
#pragma once

namespace heddle::threads {

void start_actors();
void start_signals();
void start_fork();
// Is the initial thread the only one between its creation and its end?
bool only_initial_thread();
// Do the modules of the process call our functions? Not if this library was loaded with a plugin, after the C
// library.
bool hooks_are_in_front();
void start_exit();
void start_final_flush();
void start_spin_watchdog();

}  // namespace heddle::threads
