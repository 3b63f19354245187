// prove: proved
// classes: 2
// flags: -fopenmp
// The task runs before the thread or after it: in between the initial thread comes to nothing that lets it turn to
// the task.
#define NO_YIELD
#include "openmp-tasks-outside-and-thread.cpp"
