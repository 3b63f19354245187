// What the C library says, without asking it.
#include "runtime/state/machine_stack.hpp"

#include <gtest/gtest.h>
#include <pthread.h>

#include <thread>
#include <vector>

namespace heddle {
namespace {

void same_as_the_library_says() {
  pthread_attr_t attributes;
  ASSERT_EQ(pthread_getattr_np(pthread_self(), &attributes), 0);
  void* low;
  size_t size;
  pthread_attr_getstack(&attributes, &low, &size);
  pthread_attr_destroy(&attributes);
  MachineStack stack = find_machine_stack();
  EXPECT_EQ(stack.low, reinterpret_cast<uptr>(low));
  EXPECT_EQ(stack.high, reinterpret_cast<uptr>(low) + size);
}

void* thread(void*) {
  same_as_the_library_says();
  return nullptr;
}

void in_thread(const pthread_attr_t& attributes) {
  pthread_t handle;
  ASSERT_EQ(pthread_create(&handle, &attributes, thread, nullptr), 0);
  pthread_join(handle, nullptr);
}

// The initial thread must be asked first.
class MachineStackTest : public testing::Test {
 protected:
  void SetUp() override { find_machine_stack(); }
};

TEST_F(MachineStackTest, OfTheInitialThread) { same_as_the_library_says(); }

TEST_F(MachineStackTest, OfThreads) {
  std::vector<std::thread> threads;
  for (int i = 0; i < 8; ++i) threads.emplace_back(same_as_the_library_says);
  for (std::thread& each : threads) each.join();
}

TEST_F(MachineStackTest, OfThreadsWithAStackOfAnotherSize) {
  for (size_t size : {size_t{64} << 10, size_t{200} << 10, size_t{32} << 20}) {
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, size);
    in_thread(attributes);
    pthread_attr_destroy(&attributes);
  }
}

TEST_F(MachineStackTest, OfThreadsWithAStackOfTheProgram) {
  std::vector<char> memory(1 << 20);
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstack(&attributes, memory.data(), memory.size());
  in_thread(attributes);
  pthread_attr_destroy(&attributes);
}

}  // namespace
}  // namespace heddle
