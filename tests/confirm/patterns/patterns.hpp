// Many small programs in one: compiling is what costs most. The first argument names the one to run.
//
// Each is a function with a line above it:
//   `// expect: confirmed EFFECT`, where EFFECT is output, exit-code, assertion, crash, deadlock or none (the worst
//   that some finding's witness does);
//   `// expect: refuted`: something is predicted, and no order of the program does it;
//   `// expect: undecided`: something is predicted, and neither holds;
//   `// expect: clean`: nothing is predicted.
// `// options: ...` is for heddle confirm.
#pragma once

#include <cstdio>
#include <cstring>

struct Pattern {
  const char* name;
  void (*run)();
};

template <unsigned long N>
int run_pattern(const Pattern (&patterns)[N], int count, char** words) {
  for (const Pattern& pattern : patterns)
    if (count > 1 && std::strcmp(pattern.name, words[1]) == 0) {
      pattern.run();
      return 0;
    }
  std::fprintf(stderr, "which one?\n");
  return 2;
}
