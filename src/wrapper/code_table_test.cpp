#include "wrapper/code_table.hpp"

#include <gtest/gtest.h>

namespace heddle::wrapper {
namespace {

CodeClass in_tbb(const char* header, const char* function) {
  return class_of_function(std::string("/usr/include/oneapi/tbb/") + header, function);
}

TEST(CodeTable, TellsTheUsersCodeFromTheLibrarys) {
  EXPECT_EQ(class_of_function("/home/me/app.cpp", "main"), CodeClass::kProgram);
  EXPECT_EQ(class_of_function("/home/me/tbb/app.cpp", "main"), CodeClass::kProgram)
      << "a folder of that name";
  EXPECT_EQ(class_of_function("/usr/include/c++/12/atomic", "load"), CodeClass::kNeutral);
  EXPECT_EQ(class_of_function("", "~Closure"), CodeClass::kNeutral) << "what the compiler adds";
  EXPECT_EQ(class_of_function("/usr/include/c++/12/pstl/algorithm_impl.h", "__brick_walk1"),
            CodeClass::kProgram);
  EXPECT_EQ(class_of_function("/usr/include/c++/12/pstl/parallel_backend_tbb.h", "execute"),
            CodeClass::kContainer);
}

TEST(CodeTable, KnowsThePartsOfOneTbb) {
  EXPECT_EQ(in_tbb("partitioner.h", "fold_tree"), CodeClass::kTree);
  EXPECT_EQ(in_tbb("parallel_reduce.h", "execute"), CodeClass::kBodyChoice);
  EXPECT_EQ(in_tbb("detail/_task.h", "add_reference"), CodeClass::kWait);
  EXPECT_EQ(in_tbb("detail/_task.h", "reserve"), CodeClass::kReserve);
  EXPECT_EQ(in_tbb("detail/_task.h", "spawn"), CodeClass::kNotice);
  EXPECT_EQ(in_tbb("task_group.h", "run"), CodeClass::kScheduler);
  EXPECT_EQ(in_tbb("spin_mutex.h", "lock"), CodeClass::kMutex);
  EXPECT_EQ(in_tbb("rw_mutex.h", "lock_shared"), CodeClass::kReadLock);
  EXPECT_EQ(in_tbb("rw_mutex.h", "try_lock_shared"), CodeClass::kTryReadLock);
  EXPECT_EQ(in_tbb("queuing_mutex.h", "try_acquire"), CodeClass::kTryLock);
  EXPECT_EQ(in_tbb("_scoped_lock.h", "acquire"), CodeClass::kScopedLock);
  EXPECT_EQ(in_tbb("spin_rw_mutex.h", "upgrade"), CodeClass::kUpgrade);
  EXPECT_EQ(in_tbb("concurrent_vector.h", "push_back"), CodeClass::kContainer);
  EXPECT_EQ(in_tbb("flow_graph.h", "try_put"), CodeClass::kContainer);
  EXPECT_EQ(
      in_tbb("flow_graph.h", "_ZN3tbb6detail2d117continue_receiver12try_put_taskERKNS1_12continue_msgE"),
      CodeClass::kPut);
  EXPECT_EQ(in_tbb("detail/_flow_graph_cache_impl.h", "try_put_task"), CodeClass::kScheduler);
  EXPECT_EQ(in_tbb("enumerable_thread_specific.h", "local"), CodeClass::kPerThread);
  EXPECT_EQ(in_tbb("blocked_range.h", "begin"), CodeClass::kNeutral);
  EXPECT_EQ(in_tbb("parallel_sort.h", "operator()"), CodeClass::kProgram) << "it works on the user's data";
}

}  // namespace
}  // namespace heddle::wrapper
