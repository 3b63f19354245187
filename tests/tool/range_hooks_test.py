#!/usr/bin/env python3
"""Do the hooks that a pass of ours moves out of loops tell what those in the loops told?

Random loops (types, steps, directions, structures, conditions, breaks, none or few rounds, counters that wrap around,
walking pointers) are built twice, without and with the pass, against hooks that write down which bytes were told. Of
every call of every loop, between two calls that may synchronise, each line must have told the same bytes as read and
as written, and those that it told more than once again more than once (what is meant to be atomic depends on it); and
the memory must be the same afterwards. And the pass must do something: of some loops it is known that no hook is
called in each round.

  range_hooks_test.py --compiler COMPILER --without FLAGS --with FLAGS [--levels LEVELS] [--loops N] [--seed SEED]

FLAGS are those that instrument, without and with the passes of ours; where those make one of several hooks of a line
(`x = y + y`, or what stays where it is in a loop), say --once. A seed of which the two differ is printed, and the
sources are kept with --keep.
"""
import argparse
import os
import random
import shlex
import subprocess
import sys
import tempfile
from collections import defaultdict

MIDDLE = 1024  # the element of each array that a loop calls its first
ELEMENTS = 2 * MIDDLE
CALLS = [(0, 0), (1, 0), (2, 1), (3, 7), (5, 2), (16, 3), (40, 5), (61, 60)]

HOOKS = r"""
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <map>
#include <string>
#include <utility>
#include <vector>
#include "loops.hpp"

namespace {
bool g_on;
int g_loop, g_call, g_strand;
unsigned long g_calls;
std::vector<std::pair<uintptr_t, uintptr_t>> g_places;  // of the arrays
std::map<std::pair<uintptr_t, bool>, std::map<uintptr_t, unsigned char>> g_told;  // pc, write -> byte -> once, or more

void tell(void* pointer, size_t size, bool write, void* from) {
  if (!g_on) return;
  ++g_calls;
  if (size == 0) return;
  const uintptr_t begin = reinterpret_cast<uintptr_t>(pointer), end = begin + size;
  auto place = std::upper_bound(g_places.begin(), g_places.end(), std::make_pair(begin, ~uintptr_t{0}));
  if (place == g_places.begin() || (--place, begin >= place->second)) return;  // a local variable, say
  if (end > place->second) std::printf("beyond an array: %zu bytes\n", size);
  auto& bytes = g_told[{reinterpret_cast<uintptr_t>(from) - 1, write}];
  for (uintptr_t at = begin; at < end; ++at) {
    unsigned char& times = bytes[at];
    if (times < 2) ++times;
  }
}

void show() {
  for (auto& [where, bytes] : g_told) {
    std::printf("%d %d:%d %lx %c", g_loop, g_call, g_strand, static_cast<unsigned long>(where.first), where.second ? 'w' : 'r');
    for (auto at = bytes.begin(); at != bytes.end();) {
      auto last = at, next = std::next(at);
      while (next != bytes.end() && next->first == last->first + 1 && next->second == at->second) last = next++;
      std::printf(" %lx-%lx:%d", static_cast<unsigned long>(at->first - g_places[0].first),
                  static_cast<unsigned long>(last->first - g_places[0].first), at->second);
      at = next;
    }
    std::printf("\n");
  }
  g_told.clear();
}
}  // namespace

#define FROM __builtin_return_address(0)
#define HOOK extern "C" __attribute__((noinline)) void
#define OF_SIZE(prefix, size)                                                        \
  HOOK __tsan_##prefix##read##size(void* p) { tell(p, size, false, FROM); }           \
  HOOK __tsan_##prefix##write##size(void* p) { tell(p, size, true, FROM); }           \
  HOOK __tsan_##prefix##read_write##size(void* p) {                                   \
    tell(p, size, false, FROM), --g_calls;                                            \
    tell(p, size, true, FROM);                                                        \
  }
OF_SIZE(, 1) OF_SIZE(, 2) OF_SIZE(, 4) OF_SIZE(, 8) OF_SIZE(, 16)
OF_SIZE(unaligned_, 2) OF_SIZE(unaligned_, 4) OF_SIZE(unaligned_, 8) OF_SIZE(unaligned_, 16)
HOOK __tsan_read_range(void* p, size_t size) { tell(p, size, false, FROM); }
HOOK __tsan_write_range(void* p, size_t size) { tell(p, size, true, FROM); }
HOOK __tsan_read_write_range(void* p, size_t size) {
  tell(p, size, false, FROM), --g_calls;
  tell(p, size, true, FROM);
}
HOOK __heddle_rows(void* first, size_t size, size_t rows, long stride, unsigned what) {
  for (size_t i = 0; i < rows; ++i) {
    void* at = static_cast<char*>(first) + static_cast<long>(i) * stride;
    if (what & 1) tell(at, size, false, FROM), --g_calls;
    if (what & 2) tell(at, size, true, FROM), --g_calls;
  }
  ++g_calls;
}
HOOK __heddle_loop_accesses(void* first, size_t count, long step, unsigned what) {
  for (size_t i = 0; i < count; ++i) {
    void* at = static_cast<char*>(first) + static_cast<long>(i) * step;
    if (what & 1) tell(at, what >> 2, false, FROM), --g_calls;
    if (what & 2) tell(at, what >> 2, true, FROM), --g_calls;
  }
  ++g_calls;
}
HOOK __tsan_init() {}
HOOK __heddle_init_with_plugin() {}
HOOK __heddle_has_plugin() {}
HOOK __tsan_func_entry(void*) {}
HOOK __tsan_func_exit() {}
extern "C" void* __tsan_memcpy(void* to, const void* from, size_t size) {
  tell(const_cast<void*>(from), size, false, FROM);
  tell(to, size, true, FROM);
  return std::memmove(to, from, size);
}
extern "C" void* __tsan_memmove(void* to, const void* from, size_t size) {
  tell(const_cast<void*>(from), size, false, FROM);
  tell(to, size, true, FROM);
  return std::memmove(to, from, size);
}
extern "C" void* __tsan_memset(void* to, int value, size_t size) {
  tell(to, size, true, FROM);
  return std::memset(to, value, size);
}

// What comes before such a call and what comes after it are told apart.
void meet() noexcept {
  show();
  ++g_strand;
}

int main() {
  static const long kCalls[][2] = {CALLS};
  // In the order of their names: where they are may depend on the flags.
  unsigned char* all = g_arrays;
  g_places.push_back({reinterpret_cast<uintptr_t>(all), reinterpret_cast<uintptr_t>(all + g_arrays_size)});
  for (g_loop = 0; g_loop < g_loops_count; ++g_loop) {
    const int loop = g_loop;
    unsigned long most = 0;
    g_call = 0;
    for (auto [n, m] : kCalls) {
      g_strand = 0;
      std::memset(all, 0, g_used[loop]);
      for (size_t i = 0; i < g_used[loop]; ++i) all[i] = static_cast<unsigned char>((i / 8 * 2654435761u >> 13) & (i % 4 ? 0 : 3));
      g_calls = 0;
      g_on = true;
      g_loops[loop](all, n, m);
      g_on = false;
      most = std::max(most, g_calls);
      show();
      unsigned sum = 0;
      for (size_t i = 0; i < g_used[loop]; ++i) sum = sum * 31 + all[i];
      std::printf("%d %d after %x\n", loop, g_call++, sum);
    }
    std::printf("%d calls %lu\n", loop, most);
  }
}
"""

TYPES = {
    "unsigned char": 1, "unsigned short": 2, "unsigned": 4, "unsigned long": 8, "float": 4, "double": 8,
    "Complex": 16, "Mixed": 16, "Three": 12, "Packed": 6,
}
FIELDS = {
    "Complex": ["re", "im"], "Mixed": ["d", "u", "c"], "Three": ["x", "y", "z"], "Packed": ["s", "u"],
}
FLOATING = {"float", "double", "Complex", "Three"}

PRELUDE = """
struct Complex { double re, im; };
struct Mixed { unsigned long d; unsigned u; unsigned char c; };
struct Three { float x, y, z; };
struct __attribute__((packed)) Packed { unsigned short s; unsigned u; };
using Size = unsigned long;
using Short = unsigned short;
void meet() noexcept;  // a call that may synchronise
__attribute__((const, noinline)) unsigned twice(unsigned x);
unsigned twice(unsigned x) { return 2 * x; }
"""

# Loops of which it is known how many hooks a call needs at most, however often they go round; or not (None): where a
# hook must stay, or one compiler leaves it.
KNOWN = [
    ("double", "double s = 0; for (long i = 0; i < n; ++i) s += a[i];\n  b[0] = s;", 3),
    ("double", "for (int i = 0; i < n; ++i) a[i] = b[i];", 2),
    ("unsigned char", "for (int i = int(n) - 1; i >= 0; --i) a[i] = 1;", 1),
    ("unsigned", "for (unsigned i = 0; i < unsigned(n); ++i) a[i] += 3;", 2),
    ("Complex", "for (int i = 0; i < n; ++i) { a[i].re = b[i].im + b[i].re; a[i].im = 0; }", None),
    ("double", "for (int i = 1; i < n; ++i) a[i] = b[i - 1] + b[i] + b[i + 1];", 4),
    ("float", "for (float *p = a, *end = a + n; p != end; ++p) *p = 0;", 1),
    ("Complex", "for (int i = 0; i < n; ++i) {\n a[i].re = b[i].re;\n a[i].im = b[i].im;\n }", None),
    ("double", "for (unsigned long i = 0; i != (unsigned long)n; ++i) {\n a[i] = 1;\n meet();\n }", None),
    ("double", "for (unsigned long i = 0; i != (unsigned long)n; ++i) {\n meet();\n b[0] += a[i];\n }", None),
    ("double", "for (int i = 0; i < n; ++i)\n if (a[i] > 0) b[i] = 1;", None),
    ("double", "for (int i = 0; i < n; ++i) *(volatile double*)&a[m] = i;", None),
    ("unsigned", "for (unsigned i = 0; i < unsigned(n); ++i)\n a[(unsigned char)(i * 5)] = 1;", None),
    ("unsigned", "for (unsigned i = unsigned(n) - 3; i != unsigned(n); ++i)\n a[int(i)] = 1;", None),
    ("double", "for (long i = 0; i < n; ++i)\n b[i] = a[2 * i];", None),
    ("float", "for (long i = n; i-- > 0;)\n a[3 * i] = 1;", None),
    ("double", "for (long i = 0; i < n; ++i)\n a[i * (m & 15)] = 1;", None),
    ("double", "for (long i = 0; i < 20; ++i)\n for (long j = 0; j < 40; ++j)\n b[i * 40 + j] += a[j];", 3),
    ("double", "for (long i = 0; i < 20; ++i)\n for (long j = 0; j < 40; ++j)\n a[i * 46 - j] = j;", 1),
    ("double", "for (long i = 0; i < 20; ++i)\n for (long j = 0; j < 40; ++j)\n a[900 - i * 30 + j] = j;", 1),
    ("double", "for (long i = 0; i < n; ++i)\n for (long j = 0; j < 24; ++j)\n a[i * 16 - j] = j;", None),
    ("unsigned", "for (long i = n; i-- > 0;) {\n b[i] = 0;\n for (long j = 0; j < 12; ++j)\n a[12 * i + j] = j;\n }", None),
    ("double", "for (long i = 0; i < n; ++i) for (long k = 0; k < m; ++k)\n for (long j = 0; j < 40; ++j)\n b[i * 8 + j] += a[k * 12 + j];", None),
    ("double", "for (long i = 0; i < n; ++i)\n if (b[i] > 0)\n for (long j = 0; j < 8; ++j)\n a[i * 8 + j] = 1;", None),
    ("unsigned", "for (long i = 0; i < n; ++i)\n if (b[i] & 1) for (long j = 0; j < 8; ++j) a[j] = i; else for (long j = 0; j < 8; ++j) a[j] *= 3;", None),
    ("unsigned", "for (long i = 0; i < n; ++i)\n for (long j = 0; j < 8; ++j) {\n if (b[i * 8 + j] & 1) break;\n a[i] += j;\n }", None),
    ("unsigned", "for (long i = 0; i < n; ++i) {\n for (long j = 0; j < 8; ++j)\n b[j] += a[j];\n if (b[i] & 1) break;\n }", None),
    ("unsigned char", "for (unsigned char i = 250; i != (unsigned char)n; ++i)\n a[i] = b[i];", None),
]


class Loop:
    """One function: its arrays, and lines of source."""

    def __init__(self, rng):
        self.rng = rng
        self.arrays = [(name, rng.choice(list(TYPES))) for name in "abcd"]
        self.size = sum(TYPES[kind] * ELEMENTS for _, kind in self.arrays)
        self.lines = []
        self.counters = []
        self.depth = 0

    def add(self, text):
        self.lines.append("  " * (self.depth + 1) + text)

    def index(self):
        """Near to the counters of some of the loops around."""
        rng = self.rng
        counter, bound = rng.choice(self.counters) if self.counters and rng.random() < 0.9 else (None, 0)
        if counter is None:
            return rng.choice(["0", "1", "n", "m"])
        if rng.random() < 0.75:
            counter = self.counters[-1][0]
            bound = self.counters[-1][1]
        text = counter
        if bound <= 64 and rng.random() < 0.3:
            text = f"{rng.choice([2, 3, -1, -2])} * {text}"
        if rng.random() < 0.3 and len(self.counters) > 1 and max(bound for _, bound in self.counters) <= 64:
            text = f"{self.counters[0][0]} * {rng.choice([4, 8, 8, 12])} + {counter}"
        if rng.random() < 0.4:
            text = f"{text} {rng.choice(['+ 1', '- 1', '+ 2', '+ m', '- n'])}"
        return text

    def element(self, integral):
        """An expression that can be assigned to."""
        rng = self.rng
        fit = [(name, kind) for name, kind in self.arrays if not integral or kind not in FLOATING]
        if not fit:
            return None
        name, kind = rng.choice(fit)
        text = f"{name}[{self.index()}]"
        if kind in FIELDS:
            text += "." + rng.choice(FIELDS[kind])
        return text, kind in FLOATING

    def statement(self):
        rng = self.rng
        target = self.element(False)
        of_integers = not target[1]
        value = self.element(of_integers)
        value = value[0] if value and rng.random() < 0.8 else rng.choice(["1", "unsigned(n)"])
        if rng.random() < 0.3:
            more = self.element(of_integers)
            value += f" + {more[0]}" if more else ""
        if rng.random() < 0.1 and of_integers:
            value = f"twice({value})"
        return f"{target[0]} {rng.choice(['=', '=', '+='])} {value};"

    def whole(self):
        """A structure at once, or all that it has, on one line or on several."""
        rng = self.rng
        name, kind = rng.choice(self.arrays)
        if kind not in FIELDS:
            return f"{name}[{self.index()}] = {name}[{self.index()}];"
        at = self.index()
        if rng.random() < 0.5:
            return f"{name}[{at}] = {name}[{self.index()}];"
        parts = [f"{name}[{at}].{field} = 1;" for field in FIELDS[kind]]
        return rng.choice([" ", "\n"]).join(parts)

    def body(self):
        rng = self.rng
        for _ in range(rng.randint(1, 3)):
            what = rng.random()
            if what < 0.6:
                self.add(self.statement() + (" " + self.statement() if rng.random() < 0.2 else ""))
            elif what < 0.75:
                self.add(self.whole())
            elif what < 0.85:
                self.add(f"if ({self.condition()}) {self.statement()}")
            elif what < 0.90:
                self.add(f"if ({self.condition()}) break;")
            elif what < 0.94:
                self.add(f"if ({self.condition()}) continue;")
            elif what < 0.98:
                self.add("meet();")
            else:
                self.add(f"sum += {self.element(False)[0]};")

    def condition(self):
        element = self.element(True)
        if element and self.rng.random() < 0.6:
            return f"{element[0]} & 1"
        return f"({self.counters[-1][0]} ^ m) & 2" if self.counters else "m & 1"

    def head(self):
        """The loop's head and its tail, and a counter to index with: its name, and how large it gets."""
        rng = self.rng
        i = "ijk"[len(self.counters)]
        outer = self.counters[-1][0] if self.counters else None
        start = rng.choice(["0", "0", "1", "m"] + ([outer] if outer else []))
        kind = rng.choice(["int", "int", "unsigned", "long", "Size", "short", "Short"])
        if outer and rng.random() < 0.5:
            return f"for ({kind} {i} = 0; {i} < {rng.choice([1, 4, 8, 12])}; ++{i}) {{", "}", f"int({i})", 64
        form = rng.random()
        step = rng.choice([1, 1, 1, 2, 3])
        if form < 0.4:
            end = rng.choice(["n", "n", "n + 2", "12"])
            less = rng.choice(["<", "<", "<="])
            return f"for ({kind} {i} = {kind}({start}); {i} {less} {kind}({end}); {i} += {step}) {{", "}", f"int({i})", 64
        if form < 0.6:
            kind = rng.choice(["int", "long", "short"])
            return f"for ({kind} {i} = {kind}(n); {i} {rng.choice(['>', '>='])} {kind}({start}); {i} -= {step}) {{", "}", f"int({i})", 64
        if form < 0.7:
            return f"for (unsigned char {i} = (unsigned char)(m * 40); {i} != (unsigned char)(n * 3); ++{i}) {{", "}", f"int({i})", 256
        if form < 0.8:
            return f"for (unsigned long {i} = n; {i}-- > 0;) {{", "}", f"long({i})", 64
        if form < 0.9:
            return f"{kind} {i} = {kind}({start}); do {{", f"}} while (++{i} < {kind}(n));", f"int({i})", 64
        name, of = rng.choice(self.arrays)
        way = rng.random()
        if way < 0.6:
            return f"for ({of} *p{i} = {name}, *end{i} = {name} + n; p{i} != end{i}; ++p{i}) {{", "}", f"(p{i} - {name})", 64
        return f"for ({of} *p{i} = {name} + n; p{i}-- > {name};) {{", "}", f"(p{i} - {name})", 64

    def nest(self, levels):
        head, tail, counter, bound = self.head()
        self.add("{ " + head)
        self.depth += 1
        self.counters.append((counter, bound))
        if levels > 1:
            if self.rng.random() < 0.4:
                self.add(self.statement())
            self.nest(levels - 1)
        else:
            self.body()
        self.counters.pop()
        self.depth -= 1
        self.add(tail + " }")


def declare(arrays, number, lines, size):
    text = [f"static void loop_{number}(unsigned char* all, long n, long m) {{", "  double sum = 0;"]
    offset = 0
    for name, kind in arrays:
        text.append(f"  {kind}* {name} = reinterpret_cast<{kind}*>(all + {offset}) + {MIDDLE};")
        offset += TYPES[kind] * ELEMENTS
    text += lines
    text.append("  (void)a, (void)b, (void)n, (void)m, meet();")
    text.append(f"  *reinterpret_cast<double*>(all + {size}) += sum;")
    text.append("}")
    return text


def generate(count, seed):
    """The source, and for each loop the most calls that it may need."""
    rng = random.Random(seed)
    text = ['#include "loops.hpp"', PRELUDE]
    used, most = [], []
    for kind, line, calls in KNOWN:
        size = 2 * TYPES[kind] * ELEMENTS
        text += declare([("a", kind), ("b", kind)], len(used), ["  " + line], size)
        used.append(size + 8)
        most.append(calls and calls + 8)  # of its frame, of the end of its array
    for _ in range(count):
        loop = Loop(rng)
        loop.nest(rng.choice([1, 1, 2]))
        size = (loop.size + 7) // 8 * 8
        text += declare(loop.arrays, len(used), loop.lines, size)
        used.append(size + 8)
        most.append(None)
    text.append(f"alignas(64) unsigned char g_arrays[{max(used)}];")
    text.append(f"const unsigned long g_arrays_size = {max(used)};")
    text.append(f"const int g_loops_count = {len(used)};")
    text.append("void (*const g_loops[])(unsigned char*, long, long) = {" + ", ".join(f"loop_{i}" for i in range(len(used))) + "};")
    text.append("const unsigned long g_used[] = {" + ", ".join(map(str, used)) + "};")
    return "\n".join(text) + "\n", most


HEADER = """
extern unsigned char g_arrays[];
extern const unsigned long g_arrays_size, g_used[];
extern const int g_loops_count;
extern void (*const g_loops[])(unsigned char*, long, long);
"""


def told(binary, most_times):
    """loop, call, line, kind -> byte -> times; loop, call -> memory; loop -> calls of hooks."""
    run = subprocess.run([binary], capture_output=True, text=True, timeout=900)
    if run.returncode:
        sys.exit(f"{binary} ended with {run.returncode}: {run.stdout[-200:]}")
    rows = [line.split() for line in run.stdout.splitlines()]
    pcs = sorted({row[2] for row in rows if row[1] != "calls" and row[2] != "after" and row[0] != "beyond"})
    names = subprocess.run(["addr2line", "-e", binary], input="\n".join(pcs), capture_output=True, text=True, check=True)
    lines = dict(zip(pcs, (name.split(" ")[0] for name in names.stdout.splitlines())))
    bytes_told, memory, calls = defaultdict(lambda: defaultdict(int)), {}, {}
    for row in rows:
        if row[0] == "beyond":
            sys.exit(f"{binary}: {' '.join(row)}")
        if row[1] == "calls":
            calls[int(row[0])] = int(row[2])
        elif row[2] == "after":
            memory[int(row[0]), int(row[1])] = row[3]
        else:
            of_line = bytes_told[int(row[0]), row[1], lines[row[2]].rsplit("/", 1)[-1], row[3]]
            for stretch in row[4:]:
                begin, rest = stretch.split("-")
                end, times = rest.split(":")
                for at in range(int(begin, 16), int(end, 16) + 1):
                    of_line[at] = min(most_times, of_line[at] + int(times))
    return bytes_told, memory, calls


def compare(directory, compiler, level, flags, most, most_times, seed):
    results = []
    for name, words in zip(("without", "with"), flags):
        binary = os.path.join(directory, name)
        subprocess.run([*compiler, level, "-g", "-std=c++17", *words, "-c", "loops.cpp", "-o", binary + ".o"], cwd=directory, check=True)
        subprocess.run([*compiler, "-no-pie", binary + ".o", "hooks.o", "-o", binary, "-lstdc++"], cwd=directory, check=True)
        results.append(told(binary, most_times))
    (bytes_without, memory_without, calls_without), (bytes_with, memory_with, calls_with) = results
    wrong = 0
    for key in sorted(set(bytes_without) | set(bytes_with)):
        if bytes_without.get(key) == bytes_with.get(key):
            continue
        wrong += 1
        if wrong <= 10:
            before, after = bytes_without.get(key, {}), bytes_with.get(key, {})
            differ = sorted(at for at in set(before) | set(after) if before.get(at, 0) != after.get(at, 0))
            loop, call, line, kind = key
            print(f"seed {seed}, {level}: loop_{loop}{CALLS[int(call.split(':')[0])]}, {line}, {kind}: {len(differ)} bytes told differently, the first at "
                  f"{differ[0]:#x}: {before.get(differ[0], 0)} times without, {after.get(differ[0], 0)} times with")
    for key in memory_without:
        if memory_without[key] != memory_with.get(key):
            wrong += 1
            print(f"seed {seed}, {level}: loop_{key[0]}{CALLS[key[1]]} computes something else")
    for loop, limit in enumerate(most):
        if limit is not None and calls_with[loop] > limit:
            wrong += 1
            print(f"{level}: loop_{loop} should call {limit} hooks at most, not {calls_with[loop]}")
    print(f"{level}: {len(bytes_without)} sets of bytes; {sum(calls_without.values())} calls of hooks without, {sum(calls_with.values())} with")
    return wrong


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--compiler", required=True, type=shlex.split)
    parser.add_argument("--without", required=True, type=shlex.split)
    parser.add_argument("--with", dest="with_pass", required=True, type=shlex.split)
    parser.add_argument("--levels", default=["-O1", "-O2", "-O3"], type=str.split)
    parser.add_argument("--loops", type=int, default=40)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--rounds", type=int, default=1, help="with so many seeds from that on")
    parser.add_argument("--once", action="store_true", help="what a line told more than once may be told once")
    parser.add_argument("--keep", help="a directory for the sources and programs")
    options = parser.parse_args()
    wrong = 0
    with tempfile.TemporaryDirectory() as temporary:
        directory = options.keep or temporary
        os.makedirs(directory, exist_ok=True)
        with open(os.path.join(directory, "hooks.cpp"), "w") as file:
            file.write(HOOKS.replace("{CALLS}", "{" + ", ".join(f"{{{n}, {m}}}" for n, m in CALLS) + "}"))
        with open(os.path.join(directory, "loops.hpp"), "w") as file:
            file.write(HEADER)
        subprocess.run([*options.compiler, "-O1", "-std=c++17", "-c", "hooks.cpp"], cwd=directory, check=True)
        for seed in range(options.seed, options.seed + options.rounds):
            source, most = generate(options.loops, seed)
            with open(os.path.join(directory, "loops.cpp"), "w") as file:
                file.write(source)
            for level in options.levels:
                wrong += compare(directory, options.compiler, level, (options.without, options.with_pass), most, 1 if options.once else 2, seed)
                if wrong:
                    return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
