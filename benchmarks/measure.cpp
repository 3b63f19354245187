// measure RESULT_FILE COMMAND [ARGUMENT...]: runs the command and writes "wall_seconds peak_kib exit_status
// cpu_seconds".
//
// Processor time is that of the command and of all descendants that were waited for. Peak memory is the largest
// resident set of the command or of any descendant that was waited for (RUSAGE_CHILDREN), so a program started by a
// driver is counted. A process counts the memory it had between fork and exec, too; this program is linked statically
// and stays near one MiB, where a fork of a Python interpreter would hide small programs.
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cstdio>

static double now() {
  timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

int main(int argc, char** argv) {
  if (argc < 3) {
    std::fprintf(stderr, "usage: %s RESULT_FILE COMMAND [ARGUMENT...]\n", argv[0]);
    return 2;
  }
  const double start = now();
  const pid_t child = fork();
  if (child == 0) {
    execvp(argv[2], argv + 2);
    std::perror(argv[2]);
    _exit(127);
  }
  int status = 0;
  if (child < 0 || waitpid(child, &status, 0) != child) {
    std::perror("measure");
    return 2;
  }
  const double wall = now() - start;
  rusage usage;
  getrusage(RUSAGE_CHILDREN, &usage);
  // A program killed by a signal gets the status a shell would give it.
  const int exit_status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  FILE* result = std::fopen(argv[1], "w");
  if (!result) {
    std::perror(argv[1]);
    return 2;
  }
  auto seconds = [](const timeval& t) {
    return static_cast<double>(t.tv_sec) + 1e-6 * static_cast<double>(t.tv_usec);
  };
  std::fprintf(result, "%.6f %ld %d %.6f\n", wall, usage.ru_maxrss, exit_status,
               seconds(usage.ru_utime) + seconds(usage.ru_stime));
  return std::fclose(result) == 0 ? 0 : 2;
}
