#include "explore/remote/remote_executor.hpp"

#include <gtest/gtest.h>
#include <sys/socket.h>
#include <unistd.h>

#include <csignal>
#include <set>
#include <thread>

#include "explore/explorer.hpp"
#include "explore/model/generate.hpp"
#include "explore/model/machine.hpp"

namespace heddle::explore {
namespace {

struct Seen : Listener {
  explicit Seen(const ActorNames& table) : names(&table) {}
  bool explored(const Explored& e) override {
    twice = !digests.insert(e.analysis.digest(*names)).second || twice;
    return true;
  }
  void restarted(const Stepping&) override { digests.clear(); }
  const ActorNames* names;
  std::set<Digest> digests;
  bool twice = false;
};

// Each worker has a table of its own, as another process would.
TEST(RemoteExecutor, WorkersElsewhereFindWhatOneFinds) {
  for (u64 seed = 1; seed <= 300; ++seed) {
    event::Rng rng(seed);
    model::Program program = model::generate(model::random_shape(rng), rng);
    model::ModelExecutor local(program);
    Seen alone(*local.names);
    Executor* one[] = {&local};
    Outcome expected = explore(one, {}, alone);

    auto names = std::make_shared<ActorNames>();
    std::vector<std::unique_ptr<RemoteExecutor>> workers;
    std::vector<Executor*> executors;
    std::vector<std::thread> threads;
    std::vector<int> ours;
    for (int i = 0; i < 3; ++i) {
      int ends[2];
      ASSERT_EQ(socketpair(AF_UNIX, SOCK_STREAM, 0, ends), 0);
      ours.push_back(ends[0]);
      workers.push_back(
          std::make_unique<RemoteExecutor>(std::make_unique<DescriptorChannel>(ends[0], ends[0]), names));
      executors.push_back(workers.back().get());
      threads.emplace_back([&program, end = ends[1]] {
        model::ModelExecutor executor(program);
        DescriptorChannel channel(end, end);
        serve(executor, channel);
        close(end);
      });
    }
    Seen together(*names);
    Outcome outcome = explore(executors, {}, together);
    for (int end : ours) close(end);
    for (std::thread& thread : threads) thread.join();
    ASSERT_EQ(outcome.verdict, expected.verdict) << to_code(program);
    if (expected.verdict != Verdict::kComplete) continue;
    ASSERT_FALSE(together.twice) << to_code(program);
    ASSERT_EQ(together.digests, alone.digests) << to_code(program);
  }
}

TEST(RemoteExecutor, AWorkerThatIsGoneIsAProblemNotAHang) {
  int ends[2];
  ASSERT_EQ(socketpair(AF_UNIX, SOCK_STREAM, 0, ends), 0);
  close(ends[1]);
  RemoteExecutor executor(std::make_unique<DescriptorChannel>(ends[0], ends[0]),
                          std::make_shared<ActorNames>());
  struct : Guide {
    ActorNumber next(const Execution&, std::span<const ActorNumber>, std::vector<ActorNumber>&) override {
      return kNobody;
    }
  } guide;
  // A write to it raises SIGPIPE, which the tool ignores.
  signal(SIGPIPE, SIG_IGN);
  Execution execution = executor.run({}, guide);
  EXPECT_EQ(execution.end, End::kCrashed);
  EXPECT_EQ(execution.problem, "a worker is gone");
  close(ends[0]);
}

}  // namespace
}  // namespace heddle::explore
