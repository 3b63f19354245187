#include "report/names.hpp"

#include <gtest/gtest.h>

namespace heddle::report {
namespace {

TEST(Names, DropParametersAndReturnTypes) {
  EXPECT_EQ(without_parameters("main"), "main");
  EXPECT_EQ(without_parameters("ns::f(int, char const*)"), "ns::f");
  EXPECT_EQ(without_parameters("void ns::f<int>(std::vector<int, std::allocator<int> >&)"), "ns::f<int>");
  EXPECT_EQ(without_parameters("ns::C::get() const"), "ns::C::get");
  EXPECT_EQ(without_parameters("(anonymous namespace)::f(int)"), "(anonymous namespace)::f");
  EXPECT_EQ(without_parameters("(anonymous namespace)::counter"), "(anonymous namespace)::counter");
  EXPECT_EQ(without_parameters("main::{lambda(int)#1}::operator()(int) const"),
            "main::{lambda(int)#1}::operator()");
  EXPECT_EQ(without_parameters("main::{lambda()#1}::operator()() const::{lambda()#2}::operator()() const"),
            "main::{lambda()#1}::operator()() const::{lambda()#2}::operator()");
  EXPECT_EQ(without_parameters("operator()"), "operator()");
  EXPECT_EQ(without_parameters("call<void, main(int, char**)::<lambda()> >"),
            "call<void, main(int, char**)::<lambda()> >");
  EXPECT_EQ(without_parameters("f(int) [clone .isra.0]"), "f");
  EXPECT_EQ(without_parameters("std::ostream& ns::operator<< <char>(std::ostream&, char)"),
            "ns::operator<< <char>");
  EXPECT_EQ(without_parameters("C::operator bool() const"), "C::operator bool");
  EXPECT_EQ(without_parameters("operator new(unsigned long)"), "operator new");
}

TEST(Names, DemangleWhatIsMangledAndKeepTheRest) {
  EXPECT_EQ(demangle("_ZN2ns1fEi"), "ns::f(int)");
  EXPECT_EQ(demangle("main"), "main");
  EXPECT_EQ(demangle("t"), "t");
}

TEST(Names, KnowTheFunctionsThatCompilersOutline) {
  EXPECT_EQ(outlined("main._omp_fn.0")->kind, Outlined::Kind::Region);
  EXPECT_EQ(outlined("main._omp_fn.0")->owner, "main");
  EXPECT_EQ(outlined("_ZN2ns5solveEi._omp_fn.12")->owner, "ns::solve");
  EXPECT_EQ(outlined("main.omp_outlined")->kind, Outlined::Kind::Parallel);
  EXPECT_EQ(outlined("_ZN2ns5solveEi.omp_outlined_debug__.3")->owner, "ns::solve");
  EXPECT_EQ(outlined(".omp_task_entry..4")->kind, Outlined::Kind::TaskEntry);
  EXPECT_EQ(outlined(".omp_outlined..3")->kind, Outlined::Kind::TaskBody);
  EXPECT_FALSE(outlined("solve"));
}

}  // namespace
}  // namespace heddle::report
