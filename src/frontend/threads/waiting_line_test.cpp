#include "frontend/threads/waiting_line.hpp"

#include <gtest/gtest.h>

namespace heddle::threads {
namespace {

constexpr uptr kObject = 64;

bool can(Waiter& waiter) { return WaitingLine::is_woken(&waiter); }

TEST(WaitingLine, WhoWaitsAloneIsWokenWithoutAChoice) {
  WaitingLines lines;
  Waiter one;
  lines.join(kObject, one);
  EXPECT_FALSE(can(one));
  lines.wake(kObject, 1);
  EXPECT_TRUE(can(one));
  EXPECT_FALSE(one.may_take);
}

TEST(WaitingLine, ASignalIsForOneOfThoseWhoWaitedThen) {
  WaitingLines lines;
  Waiter one, two, late;
  lines.join(kObject, one);
  lines.join(kObject, two);
  lines.wake(kObject, 1);
  lines.join(kObject, late);
  EXPECT_TRUE(can(one) && can(two) && one.may_take && two.may_take);
  EXPECT_FALSE(can(late) || late.may_take);
  lines.take(kObject, two);
  EXPECT_FALSE(can(one));
}

TEST(WaitingLine, WhoCameEarlierTakesTheOldest) {
  WaitingLines lines;
  Waiter one, two, late;
  lines.join(kObject, one);
  lines.join(kObject, two);
  lines.wake(kObject, 1);
  lines.join(kObject, late);
  lines.wake(kObject, 1);
  lines.take(kObject, one);
  EXPECT_TRUE(can(two) && can(late));  // the second signal is for either
  lines.take(kObject, late);
  EXPECT_FALSE(can(two));
}

TEST(WaitingLine, AsManySignalsAsWaitersAreForAll) {
  WaitingLines lines;
  Waiter one, two;
  lines.join(kObject, one);
  lines.join(kObject, two);
  lines.wake(kObject, 1);
  lines.wake(kObject, 1);
  EXPECT_TRUE(one.woken && two.woken);
  lines.wake(kObject, 1);  // no thread is left: lost
  Waiter late;
  lines.join(kObject, late);
  EXPECT_FALSE(can(late));
}

TEST(WaitingLine, WhoGivesUpTakesNothing) {
  WaitingLines lines;
  Waiter one, two;
  lines.join(kObject, one);
  lines.join(kObject, two);
  lines.wake(kObject, 1);
  lines.leave(kObject, one);
  EXPECT_FALSE(one.woken);
  EXPECT_TRUE(two.woken);  // no other can be woken
}

TEST(WaitingLine, WhatNobodyIsLeftForIsLost) {
  WaitingLines lines;
  Waiter one, two, late;
  lines.join(kObject, one);
  lines.join(kObject, two);
  lines.wake(kObject, 1);
  lines.join(kObject, late);
  lines.leave(kObject, one);
  lines.leave(kObject, two);
  EXPECT_FALSE(can(late));
}

TEST(WaitingLine, ABroadcastIsForAllWhoWait) {
  WaitingLines lines;
  Waiter one, two, late;
  lines.join(kObject, one);
  lines.join(kObject, two);
  lines.wake(kObject, kAllOfThem);
  lines.join(kObject, late);
  EXPECT_TRUE(one.woken && two.woken && !one.may_take);
  EXPECT_FALSE(can(late));
}

}  // namespace
}  // namespace heddle::threads
