// An executor in another process or on another machine. The coordinator holds a RemoteExecutor for each worker and
// passes them to explore(); the worker serves its own executor until the coordinator has gone.
//
//   coordinator                    worker
//   run: prefix              ->
//                            <-    ask: the steps so far, the enabled actors      (perhaps)
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
  // If the worker has gone, executions end as kCrashed and say so.
  Execution run(const Prefix& prefix, Guide& guide) override;
  // Tells the worker to stop serving.
  void finish();

 private:
  // Nothing: the worker has gone. Sends a cancellation when the execution is not wanted any more.
  std::optional<std::string> next_message();

  std::unique_ptr<Channel> channel_;
  usize told_ = 0;                        // names
  std::vector<ActorNumber> translation_;  // of the worker's numbers
};

void serve(Executor& executor, Channel& channel);

}  // namespace heddle::explore
