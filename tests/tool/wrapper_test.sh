#!/bin/bash
# The compiler wrapper with the real compilers: everything a build system does to a compiler must work.
source "$(dirname "$0")/lib.sh" "$1"

cat >app.cpp <<'EOF'
#include <cstdio>
#ifndef HEDDLE
#error "HEDDLE is not defined"
#endif
int shared_counter;
int main() {
#pragma omp parallel num_threads(2)
  {
#pragma omp critical
    shared_counter++;
  }
  std::printf("%d\n", shared_counter);
}
EOF
cat >plain.c <<'EOF'
#include <stdio.h>
int main(void) { puts("plain"); return 0; }
EOF
printf '.text\nnop\n.section .note.GNU-stack,"",@progbits\n' >assembler.s
printf '#define X nop\n.text\nX\n.section .note.GNU-stack,"",@progbits\n' >cpp_assembler.S
cat >library.c <<'EOF'
int library_state;
int library_call(void) { return ++library_state; }
EOF
cat >loader.c <<'EOF'
#include <dlfcn.h>
#include <stdio.h>
int main(void) {
  void* library = dlopen("./libplugin.so", RTLD_NOW);
  if (!library) return puts(dlerror()), 1;
  int (*call)(void) = (int (*)(void))dlsym(library, "library_call");
  return call() - 1;
}
EOF
cat >linked.c <<'EOF'
int library_call(void);
int main(void) { return library_call() - 1; }
EOF
cat >feature.c <<'EOF'
#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
int instrumented;
#endif
#elif defined(__SANITIZE_THREAD__)
int instrumented;
#endif
int main(void) { return instrumented; }
EOF
cat >compound.c <<'EOF'
int shared[8];
volatile int flag;
void other(void);
void together(int i) { shared[i] += 1; }
void two_lines(int i) {
  int before = shared[i];
  shared[i] = before + 2;
}
void of_a_volatile(void) { flag = flag - 1; }
void apart(int i) {
  int before = shared[i];
  other();
  shared[i] = before + 1;
}
EOF

check "one hook for += of GCC" sh -c "heddle-gcc -O2 -g0 -S compound.c -o - | grep -o '__tsan_[a-z_]*4' | sort | tr '\n' ' ' |
  grep -qx '__tsan_read4 __tsan_read4 __tsan_read4 __tsan_read_write4 __tsan_write4 __tsan_write4 __tsan_write4 '"

cat >walks.c <<'EOF'
double sum(const double* a, long n) {
  double all = 0;
  for (long i = 0; i < n; ++i) all += a[i];
  return all;
}
long find(const long* a, long wanted) {
  long i = 0;
  while (a[i] != wanted) ++i;
  return i;
}
EOF
have clang-19 && check "one hook for a loop of clang" sh -c "heddle-clang -O2 -g0 -fno-vectorize -fno-unroll-loops -S walks.c -o - |
  grep -o 'call.*__tsan_[rw][a-z_0-9]*' | sed 's/.*_tsan/tsan/' | tr '\n' ' ' | grep -qx 'tsan_read_range tsan_read8 '"

cat >wide.c <<'EOF'
typedef float eight __attribute__((vector_size(32)));
void copy(eight* to, const eight* from) { *to = *from; }
EOF
have clang-19 && check "clang tells of wide vectors" sh -c "heddle-clang -O2 -g0 -mavx -S wide.c -o - |
  grep -o 'call.*__tsan_[rw][a-z_0-9]*' | sed 's/.*_tsan/tsan/' | sort | tr '\n' ' ' | grep -qx 'tsan_read_range tsan_write_range '"

cat >clear.c <<'EOF'
void clear(long* a, long n) {
  for (long i = 0; i < n; ++i) a[i] = 0;
}
EOF
check "one hook for a loop of GCC" sh -c "heddle-gcc -O2 -g0 -S walks.c -o - | grep -o 'call.*__\\(tsan_[rw]\\|heddle\\)[a-z_0-9]*' |
  sed 's/.*__//' | tr '\n' ' ' | grep -qx 'heddle_loop_accesses tsan_read8 tsan_read8 '"
check "a loop that GCC tells of is not told by memset as well" sh -c "heddle-gcc -O3 -g0 -S clear.c -o clear.s &&
  grep -q 'call.*__heddle_loop_accesses' clear.s && ! grep -q memset clear.s"

compilers="gcc:g++"
have clang-19 && compilers="$compilers clang:clang++"
for pair in $compilers; do
  cc=heddle-${pair%%:*} cxx=heddle-${pair##*:}

  check "$cxx compiles and links in one step" $cxx -O2 -fopenmp -Wall -Werror app.cpp -o app
  expect 0 "SUMMARY: heddle: no races or potential deadlocks found" heddle run ./app
  check "$cxx at -O0" $cxx -O0 -fopenmp app.cpp -o app0
  expect 0 "2" ./app0
  ldd app | grep -q libomp.so.5 || fail "$cxx -fopenmp: not linked with libomp"
  ldd app | grep -q -e libgomp -e libtsan && fail "$cxx -fopenmp: linked with libgomp or libtsan"
  check "$cxx separate steps" sh -c "$cxx -O2 -fopenmp -c app.cpp -o app.o && $cxx -fopenmp app.o -o app && ./app"
  check "$cxx runs with -lgomp in place of -fopenmp" sh -c "$cxx app.o -lgomp -o app && ./app"
  ldd app | grep -q libgomp && fail "$cxx -lgomp: linked with libgomp"
  check "$cc compiles C" sh -c "$cc -Werror plain.c -o plain && ./plain"
  check "$cc instruments" $cc -Werror feature.c -o feature
  check "$cc -fsanitize=thread twice is once" sh -c "$cc -fsanitize=thread,undefined -fsanitize-undefined-trap-on-error plain.c -o plain && ./plain"
  check "$cc keeps the debug level" sh -c "$cc -g0 -c plain.c && ! readelf -S plain.o | grep -q debug_info"
  check "$cc adds -g" sh -c "$cc -c plain.c && readelf -S plain.o | grep -q debug_info"
  check "$cc assembles" sh -c "$cc -Werror -c assembler.s && $cc -Werror -c cpp_assembler.S"
  check "$cc links assembler" $cc -Werror plain.c assembler.s cpp_assembler.S -o mixed
  check "$cc -S" sh -c "$cc -S plain.c -o - | grep -q __tsan_func_entry"
  check "$cc -E" sh -c "$cc -Werror -E plain.c | grep -q main"
  check "$cc -x from standard input" sh -c "$cc -x c - -o piped <plain.c && ./piped"
  check "$cc depfile" sh -c "$cc -MD -MF dep.d -MT target -c plain.c && grep -q '^target:' dep.d"
  check "$cc -MM" sh -c "$cc -MM plain.c | grep -q plain.c"
  check "$cc -fsyntax-only" $cc -Werror -fsyntax-only plain.c
  check "$cc -r" $cc -r plain.o assembler.o -o both.o
  check "$cc -fno-sanitize=thread" sh -c "$cc -fno-sanitize=thread -c plain.c && ! nm plain.o | grep -q __tsan_func"
  check "$cc -fno-sanitize=thread links the runtime" sh -c "$cc -fno-sanitize=thread plain.o -o plain && ./plain"
  check "$cc --version" sh -c "$cc --version | grep -qi -e gcc -e clang"
  check "$cc -dumpversion" $cc -dumpversion
  check "$cc -dumpmachine" $cc -dumpmachine
  check "$cc -v alone" $cc -v
  check "$cc -print-search-dirs" $cc -print-search-dirs
  check "$cc -###" sh -c "$cc -### plain.c 2>&1 | grep -q heddle"

  printf -- '-O1 "-DNAME=\\"a b\\""\nplain.c -o from_file\n' >args
  check "$cc response file" sh -c "$cc @args && ./from_file"
  printf -- '@args -lgomp -Wl,--as-needed\n' >outer
  check "$cc nested response file, with something to drop" sh -c "$cc @outer && ./from_file && ! ldd from_file | grep -q libgomp"

  check "$cc -shared" $cc -fPIC -shared -Wl,-z,defs -Wl,--no-undefined,--as-needed library.c -o libplugin.so
  nm -D libplugin.so | grep -q ' U __tsan_' || fail "$cc -shared: the hooks are not undefined"
  check "$cc dlopen of an instrumented library" sh -c "$cc loader.c -o loader && ./loader"
  check "$cc linked instrumented library" sh -c "$cc linked.c ./libplugin.so -o linked && ./linked"
  for linker in lld gold; do
    have ld.$linker || continue
    check "$cc -fuse-ld=$linker" sh -c "$cc -fuse-ld=$linker loader.c -o loader && ./loader"
  done
  check "$cc --heddle-shared" sh -c "$cc --heddle-shared -fPIC -shared -Wl,-z,defs library.c -o libplugin.so &&
    $cc --heddle-shared loader.c -o loader && ldd loader | grep -q libheddle.so && ./loader"
  check "$cxx HEDDLE_SHARED=1" sh -c "HEDDLE_SHARED=1 $cxx -fopenmp app.cpp -o app && ldd app | grep -q libheddle.so && ./app"

  expect 2 "cannot be checked" $cc -static plain.c
  check "$cc -static without linking" $cc -static -c plain.c
  expect 2 "-fsanitize=address cannot be combined" $cc -fsanitize=address plain.c
  expect 1 "" $cc nonexistent.c

  for generator in "Unix Makefiles" Ninja; do
    [ "$generator" = Ninja ] && ! have ninja && continue
    rm -rf build
    check "CMake project, $cxx, $generator" cmake -S "$here/cmake_project" -B build -G "$generator" \
      -DCMAKE_C_COMPILER=$cc -DCMAKE_CXX_COMPILER=$cxx
    check "CMake project builds, $cxx, $generator" cmake --build build
    expect 0 "no races or potential deadlocks found" heddle run build/app
  done
done

check "objects of both compilers link" sh -c "heddle-gcc -fPIC -c library.c &&
  { ! command -v clang-19 || heddle-clang linked.c library.o -o both; } && ./both"
check "heddle cc" sh -c "heddle cc plain.c -o plain && ./plain"
check "HEDDLE_CC" sh -c "HEDDLE_CC='env gcc' heddle-cc plain.c -o plain && ./plain"
expect 2 "HEDDLE_CC names" env HEDDLE_CC=/no/such/compiler heddle cc plain.c
expect 2 "the wrapper itself" env HEDDLE_CC=heddle-cc heddle cc plain.c
expect 2 "apt install g++" env PATH=/nowhere "$heddle_bin/heddle-g++" plain.c
# The same access in several branches stays several: each is reported at its own line. (Two stores at the ends of two
# branches that meet are still one with clang: docs/USAGE.md, Limits.)
cat >branches.cpp <<'END'
int x, y, z;
__attribute__((noinline)) void work(int which) {
  switch (which) {
    case 0:
      y = 3;
      x = which + 7;  // first tail
      break;
    case 1:
      z = 4;
      x = which + 7;  // second tail
      break;
    default:
      y = 9;
      x = which + 7;
  }
}
__attribute__((noinline)) void add(int which) {
  if (which) {
    y = 1;
    x += 1;  // first sum
  } else {
    z = 2;
    x += 1;  // second sum
  }
}
int main(int, char** argv) {
  const bool sums = argv[1][0] == 's';
#pragma omp parallel
#pragma omp single
  for (int i = 0; i < 2; ++i)
#pragma omp task firstprivate(i)
  {
    if (sums)
      add(i);
    else
      work(i);
  }
}
END
place() { echo "branches.cpp:$(grep -n "// $1\$" branches.cpp | cut -d: -f1)"; }
both_lines() {  # mode, two places
  heddle run ./branches "$1" >branches.out 2>&1
  grep -q "^DATA RACE.*$(place "$2").*$(place "$3") \|^DATA RACE.*$(place "$3").*$(place "$2") " branches.out ||
    fail "$cxx $level: the accesses at '$2' and '$3' are reported at their lines"
}
compilers=g++
have clang-19 && compilers="$compilers clang++"
for cxx in $compilers; do
  for level in -O0 -O1 -O2 -O3; do
    check "build branches with $cxx $level" heddle-$cxx $level -g -fopenmp branches.cpp -o branches
    both_lines tails 'first tail' 'second tail'
    [ $cxx = g++ ] && both_lines sums 'first sum' 'second sum'
  done
done
# A read of what a captured pointer points to stays in the thread's function, whatever calls that.
cat >captured.cpp <<'END'
#include <thread>
struct Shared {
  int value = 0;
};
int main() {
  Shared shared;
  Shared* s = &shared;
  std::thread reads([s] {
    int r = s->value;  // read
    asm volatile("" : "+r"(r) : : "memory");
  });
  std::thread writes([s] {
    s->value += 1;  // write
    asm volatile("" : : : "memory");
  });
  reads.join();
  writes.join();
}
END
for cxx in $compilers; do
  check "build captured with $cxx" heddle-$cxx -O3 -std=c++20 -g captured.cpp -o captured
  heddle run ./captured >captured.out 2>&1
  grep -q "^DATA RACE.*captured.cpp:$(grep -n '// read' captured.cpp | cut -d: -f1) " captured.out ||
    fail "$cxx -O3: a read of what a captured pointer points to is reported at its line"
done
finish
