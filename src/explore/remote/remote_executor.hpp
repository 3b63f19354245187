// An executor elsewhere: another process, another machine. The coordinator holds a RemoteExecutor for each worker and
// gives them to explore(); the worker serves its own executor until the coordinator is gone.
//
//   coordinator                    worker
//   run: prefix              ->
//                            <-    ask: what was done so far, who can go on      (perhaps)
//   answer                   ->
//   cancel                   ->                                                  (perhaps, at any time)
//                            <-    done: the execution
#pragma once

#include <memory>

#include "explore/execution.hpp"
#include "explore/remote/channel.hpp"

namespace heddle::explore {

class RemoteExecutor : public Executor {
 public:
  RemoteExecutor(std::unique_ptr<Channel> channel, std::shared_ptr<ActorNames> shared_names);
  // A worker that is gone: its executions end kCrashed, and say so.
  Execution run(const Prefix& prefix, Guide& guide) override;
  // The worker need not serve any more.
  void finish();

 private:
  // Nothing: the worker is gone. Tells it when the execution is not wanted any more.
  std::optional<std::string> next_message();

  std::unique_ptr<Channel> channel_;
  usize told_ = 0;                        // names
  std::vector<ActorNumber> translation_;  // of the worker's numbers
};

void serve(Executor& executor, Channel& channel);

}  // namespace heddle::explore
