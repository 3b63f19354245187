// The test program symbolises itself: it knows what it should find.
#include "report/symbolizer.hpp"

#include <gtest/gtest.h>
#include <link.h>
#include <unistd.h>

namespace heddle::report {

struct Cell {
  int kind;
  float count;
  struct {
    double x, y;
  } place[2];
  unsigned low : 3, high : 5;
};
struct Derived : Cell {
  char tag;
};
Cell grid[4][10];
Derived derived;
namespace {
int hidden;
}

// Both are noinline and record the pc inside themselves, as a hook would see it.
__attribute__((noinline)) Address here() { return reinterpret_cast<Address>(__builtin_return_address(0)); }
inline __attribute__((always_inline)) Address innermost() { return here(); }
__attribute__((noinline)) Address outer() {
  const Address pc = innermost();
  asm volatile("");  // no tail call
  return pc;
}

namespace {

Module own_module() {
  Module module;
  dl_iterate_phdr(
      [](dl_phdr_info* info, std::size_t, void* out) {
        Module& result = *static_cast<Module*>(out);
        result.base = info->dlpi_addr;
        result.begin = ~Address{0};
        for (int i = 0; i < info->dlpi_phnum; ++i) {
          if (info->dlpi_phdr[i].p_type != PT_LOAD) continue;
          const Address begin = info->dlpi_addr + info->dlpi_phdr[i].p_vaddr;
          result.begin = std::min(result.begin, begin);
          result.end = std::max(result.end, begin + info->dlpi_phdr[i].p_memsz);
        }
        return 1;  // the first is the program
      },
      &module);
  char path[4096] = {};
  [[maybe_unused]] const ssize_t length = readlink("/proc/self/exe", path, sizeof path - 1);
  module.path = path;
  return module;
}

std::string name_of(const void* address, std::uint64_t size) {
  Symbolizer symbolizer("");
  const auto name = symbolizer.global(own_module(), reinterpret_cast<Address>(address), size, {});
  return name ? name->name + " : " + name->type : "none";
}

TEST(Symbolizer, OpensInlinedCalls) {
  Symbolizer symbolizer(HEDDLE_SOURCE_DIR "/src");
  const Module module = own_module();
  const auto& frames = symbolizer.frames(&module, outer());
  ASSERT_GE(frames.size(), 2u);
  EXPECT_EQ(frames[0].function, "heddle::report::innermost");
  EXPECT_TRUE(frames[0].inlined);
  EXPECT_EQ(frames[0].file, "report/symbolizer_test.cpp");
  EXPECT_GT(frames[0].line, 0);
  EXPECT_EQ(frames[1].function, "heddle::report::outer");
  EXPECT_FALSE(frames[1].inlined);
  EXPECT_GT(frames[1].line, frames[0].line);
}

TEST(Symbolizer, SaysSomethingAboutAddressesItDoesNotKnow) {
  Symbolizer symbolizer("");
  EXPECT_EQ(symbolizer.frames(nullptr, 0x123).at(0).offset, 0x123u);
  const Module missing{"/no/such/library.so", 0x1000, 0x1000, 0x2000};
  EXPECT_EQ(symbolizer.frames(&missing, 0x1235).at(0).module, "library.so");
}

TEST(Symbolizer, NamesMembersAndElements) {
  EXPECT_EQ(name_of(&grid[2][3].count, 4), "heddle::report::grid[2][3].count : float");
  EXPECT_EQ(name_of(&grid[0][0].place[1].y, 8), "heddle::report::grid[0][0].place[1].y : double");
  EXPECT_EQ(name_of(&derived.tag, 1), "heddle::report::derived.tag : char");
  EXPECT_EQ(name_of(&derived.count, 4), "heddle::report::derived.count : float");
  EXPECT_EQ(name_of(&hidden, 4), "heddle::report::(anonymous namespace)::hidden : int");
  static int local_static;
  EXPECT_NE(name_of(&local_static, 4).find("local_static : int"), std::string::npos)
      << name_of(&local_static, 4);
}

// Needs a frame pointer: src/report/CMakeLists.txt asks for one.
__attribute__((noinline)) std::string name_a_local() {
  volatile int numbers[4] = {1, 2, 3, 4};
  Symbolizer symbolizer("");
  const Address pc = here();
  const Address frame_pointer = reinterpret_cast<Address>(__builtin_frame_address(0));
  const auto name =
      symbolizer.local(own_module(), pc, frame_pointer, reinterpret_cast<Address>(&numbers[2]), sizeof(int));
  return name && numbers[2] == 3 ? name->name : "none";
}

TEST(Symbolizer, NamesLocalsThroughTheFramePointer) { EXPECT_EQ(name_a_local(), "numbers[2]"); }

TEST(Symbolizer, KnowsTheRuntimesLibraries) {
  EXPECT_TRUE(is_runtime_module("/usr/lib/llvm-19/lib/libomp.so.5"));
  EXPECT_TRUE(is_runtime_module("/lib/x86_64-linux-gnu/libc.so.6"));
  EXPECT_FALSE(is_runtime_module("/opt/libcache.so"));
  EXPECT_FALSE(is_runtime_module("/home/user/libomp_helpers.so"));
}

}  // namespace
}  // namespace heddle::report
