// heddle prove on many ranks: `mpirun -n N heddle prove ./app`. Rank 0 explores, all ranks execute.
//
// Each rank starts the program; so that executions of one rank mean the same to another, the program must lie at the
// same addresses everywhere: they are not randomised, its environment is without what differs between ranks, its
// standard input is empty, and its output goes through a pipe. Whether that was enough is checked.
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
  // Executions at once on each rank: what rank 0 wants; 0: as many as the machine has processors for.
  u32 agree_on_jobs(u32 wanted);
  // How the program is to be started: so that it is the same on all ranks.
  void adapt(ProgramOptions& options) const;

  // Rank 0, with its own exploration or what is wrong with it: are all ranks the same? Then executors elsewhere,
  // which share `names`.
  Result<std::vector<std::unique_ptr<RemoteExecutor>>> gather(const Result<StartedProgram>& exploration);
  // Rank 0, at the end: what the executions of the others took for granted.
  u32 finish(std::vector<std::unique_ptr<RemoteExecutor>>& executors);

  // All others: executes for rank 0 until it is done. The exit code.
  int serve(Result<StartedProgram>& exploration);

 private:
  Job() = default;
  void send(u32 to, const std::string& message) { ranks_->send(to, 0, message); }
  std::string receive(u32 from) { return ranks_->receive(from, 0); }

  std::unique_ptr<Ranks> ranks_;
  u32 jobs_ = 1;
};

}  // namespace heddle::explore
