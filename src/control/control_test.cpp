// Real threads under the baton. Each test runs in a process of its own, as there is one baton a process.
#include "control/control.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "control/strategy.hpp"

namespace heddle::control {
namespace {

std::string g_seen;  // guarded by the baton

// A thread that is an actor; join() is a choice point.
class Thread {
 public:
  Thread(std::function<void()> body) {
    actor_ = create("thread");
    thread_ = std::thread([this, body = std::move(body)] {
      begin(actor_);
      body();
      end();
    });
  }
  void join() {
    auto over = [](void* actor) { return ended(static_cast<Actor*>(actor)); };
    choose({.op = Op::kWait, .enabled = over, .data = actor_, .what = "joins a thread"});
    thread_.join();
  }
  Actor* actor_;

 private:
  std::thread thread_;
};

// Runs in a child process and returns what the child has written.
#define EXPECT_SEEN(body, text)                  \
  EXPECT_EXIT(                                   \
      {                                          \
        start(0);                                \
        body;                                    \
        fprintf(stderr, "[%s]", g_seen.c_str()); \
        _exit(0);                                \
      },                                         \
      ::testing::ExitedWithCode(0), "\\[" text "\\]")

void see(char c) { g_seen += c; }

TEST(Control, GreedyRunsWhoeverRunsUntilItMustWait) {
  EXPECT_SEEN(
      {
        Thread a([] { see('a'); });
        Thread b([] { see('b'); });
        see('m');
        b.join();
        a.join();
        see('e');
      },
      "mabe");
}

TEST(Control, ALockIsGivenOnlyWhenItIsFree) {
  EXPECT_SEEN(
      {
        acquire(1, true);
        Thread a([] {
          see('a');
          acquire(1, true);
          see('A');
          release(1);
        });
        Thread b([] {
          see('b');
          see(try_acquire(1, true) ? '+' : '-');
        });
        choose({.op = Op::kWait, .enabled = [](void*) { return g_seen == "ab-"; }});
        see('m');
        release(1);
        a.join();
        b.join();
      },
      "ab-mA");
}

TEST(Control, ReadersShareAndNestedAcquisitionsCount) {
  EXPECT_SEEN(
      {
        acquire(1, false);
        acquire(1, false);
        Thread a([] {
          acquire(1, false);
          see('r');
          release(1);
          acquire(1, true);
          see('w');
          release(1);
        });
        choose({.op = Op::kWait, .enabled = [](void*) { return g_seen == "r"; }});
        release(1);
        choose({.op = Op::kGoOn, .yields = true});
        see('m');
        release(1);
        a.join();
      },
      "rmw");
}

TEST(Control, WhoYieldsComesLast) {
  EXPECT_SEEN(
      {
        bool done = false;
        Thread a([&] {
          see('a');
          yield();
          see('A');
          done = true;
        });
        while (!done) yield();
        a.join();
        see('e');
      },
      "aAe");
}

TEST(Control, TimeIsVirtualAndEndsWaitsInTheOrderOfTheirDeadlines) {
  EXPECT_SEEN(
      {
        auto never = [](void*) { return false; };
        Thread a([=] {
          choose({.op = Op::kWait, .enabled = never, .deadline = 3600'000'000'000});
          see('h');
        });
        Thread b([=] {
          Outcome outcome = choose({.op = Op::kWait, .enabled = never, .deadline = 60'000'000'000});
          see(outcome == Outcome::kTimedOut ? 'm' : '?');
        });
        a.join();
        b.join();
        see(now() >= 3600'000'000'000 ? 'e' : '?');
      },
      "mhe");
}

TEST(Control, OthersGoOnWhileOneIsAway) {
  EXPECT_SEEN(
      {
        int ends[2];
        ASSERT_EQ(pipe(ends), 0);
        Thread a([&] {
          char c = 0;
          leave_baton();
          ASSERT_EQ(read(ends[0], &c, 1), 1);
          take_baton();
          see(c);
        });
        Thread b([&] {
          see('b');
          ASSERT_EQ(write(ends[1], "x", 1), 1);
        });
        b.join();
        a.join();
      },
      "bx");
}

TEST(Control, ThousandActorsTakeTurns) {
  EXPECT_SEEN(
      {
        u64 count = 0;
        std::vector<std::unique_ptr<Thread>> threads;
        for (int i = 0; i < 1000; ++i)
          threads.push_back(std::make_unique<Thread>([&] {
            for (int k = 0; k < 10; ++k) {
              ++count;
              yield();
            }
          }));
        for (auto& thread : threads) thread->join();
        g_seen = std::to_string(count);
      },
      "10000");
}

TEST(Control, NamesAreSpawnPathsAndStepsAreCounted) {
  EXPECT_SEEN(
      {
        on_step = [](u64 step, Actor* actor, const Pending& pending) {
          g_seen += std::to_string(step) + ":" + std::to_string(actor->number) +
                    (pending.op == Op::kStart  ? "s"
                     : pending.op == Op::kGoOn ? "g"
                                               : "w") +
                    " ";
        };
        Thread a([] {
          Thread inner([] { cut(); });
          inner.join();
          g_seen +=
              std::to_string(inner.actor_->parent->number) + "." + std::to_string(inner.actor_->index) + " ";
        });
        a.join();
      },
      "0:1s 1:2s 2:2g 3:1w 1.0 4:0w ");
}

TEST(Control, ADeadlockEndsTheProgram) {
  EXPECT_EXIT(
      {
        start(0);
        acquire(1, true);
        Thread a([] {
          acquire(2, true);
          acquire(1, true);
        });
        choose({.op = Op::kGoOn, .yields = true});
        acquire(2, true);
      },
      ::testing::ExitedWithCode(70), "deadlock");
}

TEST(Control, ALivelockEndsTheProgram) {
  EXPECT_EXIT(
      {
        start(0);
        for (;;) looked();
      },
      ::testing::ExitedWithCode(70), "livelock");
}

TEST(Control, WhoeverEndsLastLeavesNobodyWaiting) {
  EXPECT_SEEN(
      {
        Thread a([] { see('a'); });
        a.join();
        end();
        see('e');
      },
      "ae");
}

TEST(Control, TheProcessEndsWhenNobodyElseCanGoOn) {
  EXPECT_SEEN(
      {
        auto* waits = new Thread([] {
          see('w');
          choose({.op = Op::kWait, .enabled = [](void*) { return false; }, .what = "waits for ever"});
          see('!');
        });
        auto* sleeps = new Thread([] {
          choose({.op = Op::kWait, .enabled = [](void*) { return false; }, .deadline = now() + 1000});
          see('s');
        });
        see('m');
        wait_for_the_rest();
        see('e');
        static_cast<void>(waits);
        static_cast<void>(sleeps);
      },
      "mwse");
}

TEST(Control, WhoGoesOnForEverDoesNotKeepTheProcessFromItsEnd) {
  EXPECT_SEEN(
      {
        new Thread([] {
          for (;;) choose({.op = Op::kChoice});
        });
        new Thread([] { see('a'); });
        wait_for_the_rest();
        see('e');
      },
      "ae");
}

TEST(Control, ACircleBesideTheEndIsADeadlock) {
  EXPECT_EXIT(
      {
        start(0);
        auto take = [](uptr first, uptr second) {
          acquire(first, true);
          choose({.op = Op::kGoOn, .yields = true});
          acquire(second, true);
        };
        new Thread([=] { take(1, 2); });
        new Thread([=] { take(2, 1); });
        wait_for_the_rest();
      },
      ::testing::ExitedWithCode(70), "deadlock");
}

}  // namespace
}  // namespace heddle::control
