// Which records of tasks are used again, and when.
#include "order/records.hpp"

#include <gtest/gtest.h>

#include "order/structure.hpp"

namespace heddle::order {
namespace {

struct RecordsTest : testing::Test {
  Structure& structure = *memory::make<Structure>();
  Records& records = structure.records();
  Task& root = *structure.make_root();

  Task& child(Task& parent) { return *structure.spawn(parent); }
  void end(Task& task) {
    structure.end(task);
    structure.let_go(task);
  }
  void fill() {
    for (u32 i = 0; i < 5000; ++i) end(child(root));
  }
  void collect(TaskId named = 0) {
    records.begin();
    if (named) records.name(named);
    records.finish();
    records.free(0);
  }
  bool there(TaskId id) { return structure.find(id)->id == id; }
};

TEST_F(RecordsTest, WhatHasEndedAndNothingNamesIsUsedAgain) {
  Task& task = child(root);
  const TaskId id = task.id;
  const Index last = task.now;
  end(task);
  fill();
  EXPECT_TRUE(there(id));
  collect();
  EXPECT_FALSE(there(id));
  EXPECT_TRUE(there(root.id));
  bool again = false;
  for (u32 i = 0; i < 6000 && !again; ++i) {
    Task& next = child(root);
    again = next.id == id;
    if (!again) continue;
    EXPECT_GT(next.now, last) << "a strand is never another one's";
    EXPECT_EQ(&next, &task);
    EXPECT_EQ(structure.known_by_structure(root, next), next.spawned_at);
    EXPECT_LT(structure.known_by_structure(next, root), next.now) << "nothing has joined it";
  }
  EXPECT_TRUE(again);
}

TEST_F(RecordsTest, WhatSomethingNamesStaysWithItsAncestors) {
  Task& outer = child(root);
  Task& inner = child(outer);
  Task& other = child(outer);
  const TaskId inner_id = inner.id, outer_id = outer.id, other_id = other.id;
  end(inner);
  end(other);
  structure.wait_children(outer);
  end(outer);
  fill();
  collect(inner_id);
  EXPECT_TRUE(there(inner_id));
  EXPECT_TRUE(there(outer_id));
  EXPECT_FALSE(there(other_id));
  structure.wait_children(root);
  EXPECT_EQ(structure.known_by_structure(inner, root), kAll) << "its scope is there, too";
  collect();
  EXPECT_FALSE(there(inner_id));
  EXPECT_FALSE(there(outer_id));
}

TEST_F(RecordsTest, TheLastTasksKeepTheirScopes) {
  fill();
  Task& last = child(root);
  const TaskId id = last.id;
  const Scope* scope = last.wait;
  end(last);
  structure.wait_children(root);
  for (u32 i = 0; i < 2; ++i) {
    Task& other = child(root);  // its scope is the newest
    structure.end(other);
    structure.wait_children(root);
    collect(id);
    // A scope that had been freed would be this one's.
    child(root);
    EXPECT_NE(structure.find(id)->wait, root.live->children);
    EXPECT_EQ(structure.find(id)->wait, scope);
    structure.wait_children(root);
  }
  EXPECT_EQ(structure.known_by_structure(*structure.find(id), root), kAll);
}

TEST_F(RecordsTest, WhoRunsKeepsItsAncestors) {
  Task& outer = child(root);
  Task& inner = child(outer);
  const TaskId outer_id = outer.id, inner_id = inner.id;
  end(outer);
  fill();
  collect();
  EXPECT_TRUE(there(outer_id));
  EXPECT_TRUE(there(inner_id));
  end(inner);
  collect();
  EXPECT_FALSE(there(inner_id));
  EXPECT_FALSE(there(outer_id));
}

TEST_F(RecordsTest, WhatIsNotLetGoOrIsKeptStays) {
  Task &held = child(root), &locked = child(root), &teller = child(root);
  structure.end(held);
  LockObject lock;
  structure.acquire(locked, lock, Mode::kWrite);
  structure.release(locked, lock, Mode::kWrite);
  end(locked);
  const EndSnapshot told = structure.end_snapshot(teller);
  end(teller);
  fill();
  collect();
  EXPECT_TRUE(there(held.id));
  EXPECT_TRUE(there(locked.id));
  EXPECT_TRUE(there(teller.id));
  structure.acquire_snapshot(root, told);
}

TEST_F(RecordsTest, WhatIsNamedDuringACollectionIsThereUntilTheNextOne) {
  Task& late = child(root);
  const TaskId id = late.id;
  fill();
  records.begin();
  end(late);
  records.finish();
  records.free(0);
  EXPECT_TRUE(there(id));
  collect();
  EXPECT_FALSE(there(id));
}

TEST_F(RecordsTest, TasksAndWaitsThatLeaveNothingCostNoMemory) {
  records.start_collecting();
  auto work = [&](u32 rounds) {
    for (u32 i = 0; i < rounds; ++i) {
      Task& outer = child(root);
      structure.open_group(outer);
      end(child(outer));
      structure.close_group(outer);
      end(child(outer));
      structure.wait_children(outer);
      end(outer);
      structure.wait_children(root);
      if (records.due()) collect();
    }
  };
  work(20'000);
  const usize before = memory::mapped_bytes();
  work(500'000);
  EXPECT_EQ(memory::mapped_bytes(), before);
  EXPECT_GE(structure.task_count(), 1'500'000u);
}

TEST_F(RecordsTest, BarriersThatLeaveNothingCostNoMemory) {
  records.start_collecting();
  auto work = [&](u32 regions) {
    for (u32 i = 0; i < regions; ++i) {
      Team* team = structure.fork(root);
      Task* one = structure.implicit_task(*team);
      Task* single = structure.team_work(*team);
      end(*single);
      structure.arrive(*team, *one);
      Task* next = structure.pass_barrier(*team, *one);
      structure.let_go(*one);
      end(*next);
      structure.join(*team);
      if (records.due()) collect();
    }
  };
  work(20'000);
  const usize before = memory::mapped_bytes();
  work(200'000);
  EXPECT_EQ(memory::mapped_bytes(), before);
}

}  // namespace
}  // namespace heddle::order
