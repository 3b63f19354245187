// Jobs are pushed and taken by all iterations; who takes a job has it to itself.
// expect: clean
// workers: 1 2 8

#include <tbb/concurrent_priority_queue.h>
#include <tbb/parallel_for.h>

#include "../../workers.hpp"

struct Job {
  int urgency, runs;
};
struct Later {
  bool operator()(const Job* a, const Job* b) const { return a->urgency < b->urgency; }
};
Job jobs[40];

static int run() {
  tbb::concurrent_priority_queue<Job*, Later> queue;
  tbb::parallel_for(0, 40, [&](int i) {
    jobs[i].urgency = i * 7 % 40;
    queue.push(&jobs[i]);
    Job* taken;
    if (queue.try_pop(taken)) taken->runs += 1;
  });
  Job* left;
  while (queue.try_pop(left)) left->runs += 1;
  for (const Job& job : jobs)
    if (job.runs != 1) return 1;
  return 0;
}

int main() { return on_workers(run); }
