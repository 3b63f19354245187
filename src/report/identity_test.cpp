#include "report/identity.hpp"

#include <gtest/gtest.h>

#include "report/sample_report.hpp"

namespace heddle::report {
namespace {

Task thread_of(std::uint64_t count) {
  Task task;
  task.id = 7;
  task.kind = "thread";
  task.parent = 1;
  task.created =
      sample_stack({sample_frame("start", "app.cpp", 12, 3), sample_frame("main", "app.cpp", 30, 3)});
  task.count = count;
  return task;
}

TEST(Identity, AnIndexTellsTasksOfALoopApart) {
  const Identities index{Abstraction::Index};
  EXPECT_EQ(index.of(thread_of(0), ""), "thread start:12 < main:30 #0");
  EXPECT_EQ(index.of(thread_of(1), ""), "thread start:12 < main:30 #1");
  EXPECT_EQ(index.of(thread_of(1), "thread main:9 #4"), "thread start:12 < main:30 #1 by (thread main:9 #4)");
}

TEST(Identity, DepthCountsCalls) {
  EXPECT_EQ((Identities{Abstraction::Index, 1}.of(thread_of(2), "")), "thread start:12 #2");
}

TEST(Identity, SitesDoNot) {
  const Identities sites{Abstraction::Sites};
  EXPECT_EQ(sites.of(thread_of(0), ""), sites.of(thread_of(1), "thread main:9 #4"));
  EXPECT_EQ(sites.of(thread_of(0), ""), "thread start:12 < main:30");
}

TEST(Identity, TrivialNamesAreKinds) {
  EXPECT_EQ(Identities{Abstraction::Trivial}.of(thread_of(3), ""), "thread");
}

TEST(Identity, WhatWasNotCountedHasNoName) {
  Task task = thread_of(0);
  task.count.reset();
  EXPECT_EQ(Identities{}.of(task, ""), "");
}

TEST(Identity, ALockIsAVariableOrAPlaceInABlock) {
  const Lock named{1, "mutex", "write", 0x1000, "bank::m"}, nameless{2, "mutex", "write", 0x2010, ""};
  EXPECT_EQ(Identities{}.of(named, {}, ""), "mutex bank::m");
  Variable block;
  block.kind = LocationKind::Heap;
  block.offset = 16;
  block.count = 3;
  block.allocated = sample_stack({sample_frame("make", "app.cpp", 5, 1)});
  EXPECT_EQ(Identities{}.of(nameless, block, "thread main:9 #0"),
            "mutex +16 in make:5 #3 by (thread main:9 #0)");
  EXPECT_EQ(Identities{Abstraction::Trivial}.of(nameless, block, ""), "mutex");
}

}  // namespace
}  // namespace heddle::report
