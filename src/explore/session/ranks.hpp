// heddle prove on many ranks: `mpirun -n N heddle prove ./app`. Rank 0 explores, all ranks execute.
//
// Each rank starts the program. Executions of different ranks are comparable only if the program has the same
// addresses everywhere. So addresses are not randomised, the environment lacks the variables that differ between
// ranks, the standard input is empty, and the output goes through a pipe. The layouts are then compared.
//
//   rank 0                          rank r                          on lane 0
//   how many jobs             ->
//                             <-    what is wrong, or the layout of its program
//   go, or not                ->
//   ...                             executions, on lanes 1, 2, ...  (explore/remote/remote_executor.hpp)
//                             <-    what its executions took for granted
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "explore/remote/ranks.hpp"
#include "explore/remote/remote_executor.hpp"
#include "explore/session/exploration.hpp"

namespace heddle::explore {

class Job {
 public:
  // Null: the tool was not started under mpirun.
  static Result<std::unique_ptr<Job>> join();

  bool coordinates() const { return ranks_->rank() == 0; }
  // Concurrent executions on each rank, as rank 0 wants; 0: one per processor.
  u32 agree_on_jobs(u32 wanted);
  // Makes the start of the program the same on all ranks.
  void adapt(ProgramOptions& options) const;

  // On rank 0, with its own exploration or the problem with it: do all ranks agree? If so, the remote executors,
  // which share `names`.
  Result<std::vector<std::unique_ptr<RemoteExecutor>>> gather(const Result<StartedProgram>& exploration);
  // On rank 0, at the end: the assumptions of the other ranks' executions.
  u32 finish(std::vector<std::unique_ptr<RemoteExecutor>>& executors);

  // On all other ranks: executes for rank 0 until that is done. Returns the exit code.
  int serve(Result<StartedProgram>& exploration);

 private:
  Job() = default;
  void send(u32 to, const std::string& message) { ranks_->send(to, 0, message); }
  std::string receive(u32 from) { return ranks_->receive(from, 0); }

  std::unique_ptr<Ranks> ranks_;
  u32 jobs_ = 1;
};

}  // namespace heddle::explore
