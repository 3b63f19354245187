// What has to be set up once, before the program starts threads.
#pragma once

namespace heddle::threads {

void start_actors();
void start_signals();
void start_fork();
void start_exit();
void start_last_look();
void start_patience();

}  // namespace heddle::threads
