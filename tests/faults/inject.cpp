// Runs a command and lets one of its system calls fail, once: the Nth of those that are named.
//
//   inject REPORT WHO CALLS FAULT N COMMAND [arguments]
//
//   REPORT   a file; it gets one line: how many such calls there were, and which one was made to fail
//   WHO      tool: the command, and what it forks; program: what it executes, and there only the calls that the
//            executable makes itself, without a library, as the runtime system in it does
//   CALLS    names, separated by commas
//   FAULT    the name of an error (ENOSPC), or `short`: half of the bytes
//   N        which; 0: they are only counted
//
// The calls are seen by a tracer (ptrace), stopped by a seccomp filter: also those that the C library makes inside
// of itself, and those that are made without it, which a preloaded library would not see. The tool must have
// allocations.cpp preloaded: its calls count from the marker there on, so that the loader's do not.
//
// The exit code is the command's, or 128 + the signal that ended it; the report says which. Ends when all processes
// that the command has started have ended.
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <vector>

namespace {

[[noreturn]] void give_up(const std::string& what) {
  std::fprintf(stderr, "inject: %s: %s\n", what.c_str(), std::strerror(errno));
  std::_Exit(125);
}

struct Call {
  const char* name;
  long number;
  char
      about;  // what its first argument is: 'f' a descriptor, 'p' a path, 'a' a folder and then a path, ' ' neither
};
constexpr Call kCalls[] = {
    {"open", SYS_open, 'p'},
    {"openat", SYS_openat, 'a'},
    {"creat", SYS_creat, 'p'},
    {"memfd_create", SYS_memfd_create, ' '},
    {"socketpair", SYS_socketpair, ' '},
    {"pipe", SYS_pipe, ' '},
    {"pipe2", SYS_pipe2, ' '},
    {"dup", SYS_dup, 'f'},
    {"fcntl", SYS_fcntl, 'f'},
    {"write", SYS_write, 'f'},
    {"pwrite64", SYS_pwrite64, 'f'},
    {"writev", SYS_writev, 'f'},
    {"read", SYS_read, 'f'},
    {"pread64", SYS_pread64, 'f'},
    {"readv", SYS_readv, 'f'},
    {"close", SYS_close, 'f'},
    {"fsync", SYS_fsync, 'f'},
    {"ftruncate", SYS_ftruncate, 'f'},
    {"fchmod", SYS_fchmod, 'f'},
    {"rename", SYS_rename, 'p'},
    {"renameat", SYS_renameat, 'a'},
    {"renameat2", SYS_renameat2, 'a'},
    {"linkat", SYS_linkat, 'a'},
    {"unlink", SYS_unlink, 'p'},
    {"mkdir", SYS_mkdir, 'p'},
    {"mmap", SYS_mmap, ' '},
    {"mremap", SYS_mremap, ' '},
    {"clone", SYS_clone, ' '},
    {"clone3", SYS_clone3, ' '},
    {"fork", SYS_fork, ' '},
    {"vfork", SYS_vfork, ' '},
    {"execve", SYS_execve, 'p'},
    {"wait4", SYS_wait4, ' '},
    {"waitid", SYS_waitid, ' '},
    {"poll", SYS_poll, ' '},
    {"sendfile", SYS_sendfile, 'f'},
    {"copy_file_range", SYS_copy_file_range, 'f'},
};
struct Fault {
  const char* name;
  int error;
};
constexpr Fault kFaults[] = {
    {"ENOSPC", ENOSPC}, {"EIO", EIO},       {"EINTR", EINTR},   {"EMFILE", EMFILE},
    {"EACCES", EACCES}, {"ENOMEM", ENOMEM}, {"EAGAIN", EAGAIN}, {"EOPNOTSUPP", EOPNOTSUPP},
    {"ECHILD", ECHILD}, {"short", 0}};
constexpr unsigned long long kMarker = 0x48454444;  // allocations.cpp

const Call* call_of(long number) {
  for (const Call& call : kCalls)
    if (call.number == number) return &call;
  return nullptr;
}

std::vector<const Call*> calls_named(const std::string& names) {
  std::vector<const Call*> result;
  std::istringstream words(names);
  for (std::string word; std::getline(words, word, ',');) {
    const Call* found = nullptr;
    for (const Call& call : kCalls)
      if (word == call.name) found = &call;
    if (!found) give_up("unknown call " + word);
    result.push_back(found);
  }
  return result;
}

// Stops at these calls, and lets all others pass.
void install_filter(const std::vector<const Call*>& calls) {
  std::vector<sock_filter> code;
  code.push_back(BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)));
  std::set<long> numbers = {SYS_prctl};
  for (const Call* call : calls) numbers.insert(call->number);
  for (const long number : numbers) {
    code.push_back(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, static_cast<__u32>(number), 0, 1));
    code.push_back(BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_TRACE));
  }
  code.push_back(BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW));
  const sock_fprog program{static_cast<unsigned short>(code.size()), code.data()};
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 ||
      prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) != 0)
    give_up("seccomp");
}

std::string text_at(pid_t process, unsigned long long address) {
  std::string text;
  for (char c;; text += c) {
    iovec here{&c, 1}, there{reinterpret_cast<void*>(address + text.size()), 1};
    if (process_vm_readv(process, &here, 1, &there, 1, 0) != 1 || c == 0) return text;
  }
}

std::string link_at(const std::string& path) {
  char text[4096];
  const ssize_t size = readlink(path.c_str(), text, sizeof text);
  return size > 0 ? std::string(text, static_cast<std::size_t>(size)) : "";
}

// Is the address in the code of the process's executable?
bool is_own_code(pid_t process, unsigned long long address) {
  const std::string executable = link_at("/proc/" + std::to_string(process) + "/exe");
  std::ifstream maps("/proc/" + std::to_string(process) + "/maps");
  for (std::string line; std::getline(maps, line);) {
    unsigned long long begin = 0, end = 0;
    if (std::sscanf(line.c_str(), "%llx-%llx", &begin, &end) == 2 && begin <= address && address < end)
      return line.ends_with(executable);
  }
  return false;
}

class Tracer {
 public:
  Tracer(bool of_tool, int error, long wanted) : of_tool_(of_tool), error_(error), wanted_(wanted) {}

  // The status of the first process.
  int follow(pid_t first) {
    first_ = first;
    threads_[first] = {};
    int result = 0, status = 0;
    for (pid_t thread; (thread = waitpid(-1, &status, __WALL)) > 0 || errno == EINTR;) {
      if (thread < 0) continue;
      if (WIFEXITED(status) || WIFSIGNALED(status)) {
        if (thread == first) result = status;
        threads_.erase(thread);
      } else if (WIFSTOPPED(status)) {
        stopped(thread, status);
      }
    }
    return result;
  }

  std::string report(int signal) const {
    return "{\"count\":" + std::to_string(count_) + ",\"fired\":\"" + fired_ + "\",\"about\":\"" + about_ +
           "\",\"signal\":" + std::to_string(signal) + "}\n";
  }

 private:
  struct Thread {
    bool is_program = false;  // it has executed something else than the tool
    bool has_begun = false;   // the marker was seen
    bool returns_error = false;
  };

  void stopped(pid_t thread, int status) {
    const int event = status >> 16, signal = WSTOPSIG(status);
    // A thread may be seen before the call that makes it is: it waits until its maker is known.
    if (!threads_.contains(thread)) {
      held_.insert(thread);
      return;
    }
    switch (event) {
      case PTRACE_EVENT_FORK:
      case PTRACE_EVENT_VFORK:
      case PTRACE_EVENT_CLONE: {
        const pid_t made = static_cast<pid_t>(message(thread));
        threads_[made] = threads_[thread];
        threads_[made].returns_error = false;
        if (held_.erase(made)) go_on(made, 0);
        return go_on(thread, 0);
      }
      case PTRACE_EVENT_EXEC: {
        // Another thread of the process may have called; it has the process's number now.
        const pid_t before = static_cast<pid_t>(message(thread));
        if (before != thread && threads_.contains(before)) {
          threads_[thread] = threads_[before];
          threads_.erase(before);
        }
        if (threads_[thread].has_begun) threads_[thread].is_program = true;
        return go_on(thread, 0);
      }
      case PTRACE_EVENT_SECCOMP:
        return called(thread);
      case PTRACE_EVENT_STOP:
        if (signal == SIGSTOP || signal == SIGTSTP || signal == SIGTTIN || signal == SIGTTOU) {
          ptrace(PTRACE_LISTEN, thread, nullptr, nullptr);
          return;
        }
        return go_on(thread, 0);
      default:
        break;
    }
    if (signal == (SIGTRAP | 0x80)) {  // behind a call
      if (threads_[thread].returns_error) {
        threads_[thread].returns_error = false;
        user_regs_struct registers{};
        ptrace(PTRACE_GETREGS, thread, nullptr, &registers);
        registers.rax = static_cast<unsigned long long>(-error_);
        ptrace(PTRACE_SETREGS, thread, nullptr, &registers);
      }
      return go_on(thread, 0);
    }
    go_on(thread, signal);
  }

  static unsigned long message(pid_t thread) {
    unsigned long value = 0;
    ptrace(PTRACE_GETEVENTMSG, thread, nullptr, &value);
    return value;
  }
  static void go_on(pid_t thread, int signal) {
    ptrace(PTRACE_CONT, thread, nullptr, reinterpret_cast<void*>(static_cast<long>(signal)));
  }

  void called(pid_t thread) {
    user_regs_struct registers{};
    if (ptrace(PTRACE_GETREGS, thread, nullptr, &registers) != 0) return;
    Thread& self = threads_[thread];
    if (static_cast<long>(registers.orig_rax) == SYS_prctl) {
      if (registers.rdi == kMarker) self.has_begun = true;
      return go_on(thread, 0);
    }
    const bool counts =
        of_tool_ ? self.has_begun && !self.is_program : self.is_program && is_own_code(thread, registers.rip);
    const Call& call = *call_of(static_cast<long>(registers.orig_rax));
    if (!counts || !can_fail(call, registers) || ++count_ != wanted_) return go_on(thread, 0);
    fired_ = call.name;
    about_ = about(thread, call, registers);
    if (call.number == SYS_close) {
      // It is closed, and says that something has gone wrong.
      self.returns_error = true;
      ptrace(PTRACE_SYSCALL, thread, nullptr, nullptr);
      return;
    }
    if (error_ == 0) {
      registers.rdx = call.number == SYS_writev || call.number == SYS_readv ? 1 : (registers.rdx + 1) / 2;
    } else {
      registers.orig_rax = ~0ull;
      registers.rax = static_cast<unsigned long long>(-error_);
    }
    ptrace(PTRACE_SETREGS, thread, nullptr, &registers);
    go_on(thread, 0);
  }

  bool can_fail(const Call& call, const user_regs_struct& registers) const {
    if (error_ == 0) return registers.rdx > 1;  // there is a half of it
    // Not every file system has files without names.
    if (error_ == EOPNOTSUPP && call.number == SYS_openat) return (registers.rdx & O_TMPFILE) == O_TMPFILE;
    if (call.number == SYS_fcntl)
      return registers.rsi == 0 || registers.rsi == 1030;  // F_DUPFD, F_DUPFD_CLOEXEC
    return true;
  }

  static std::string about(pid_t thread, const Call& call, const user_regs_struct& registers) {
    const std::string files = "/proc/" + std::to_string(thread) + "/fd/";
    std::string text;
    if (call.about == 'f') text = link_at(files + std::to_string(registers.rdi));
    if (call.about == 'p') text = text_at(thread, registers.rdi);
    if (call.about == 'a') text = text_at(thread, registers.rsi);
    std::string plain;
    for (const char c : text) plain += c == '"' || c == '\\' || static_cast<unsigned char>(c) < ' ' ? '?' : c;
    return plain;
  }

  const bool of_tool_;
  const int error_;
  const long wanted_;
  pid_t first_ = 0;
  long count_ = 0;
  std::string fired_, about_;
  std::map<pid_t, Thread> threads_;
  std::set<pid_t> held_;
};

}  // namespace

int main(int count, char** words) {
  if (count < 7) {
    std::fprintf(stderr, "usage: inject REPORT tool|program CALLS FAULT N COMMAND [arguments]\n");
    return 125;
  }
  const auto calls = calls_named(words[3]);
  const Fault* fault = nullptr;
  for (const Fault& each : kFaults)
    if (std::strcmp(each.name, words[4]) == 0) fault = &each;
  if (!fault) give_up(std::string("unknown fault ") + words[4]);

  int go[2];
  if (pipe(go) != 0) give_up("pipe");
  const pid_t first = fork();
  if (first == 0) {
    char byte;
    close(go[1]);
    if (read(go[0], &byte, 1) != 1) std::_Exit(125);
    close(go[0]);
    install_filter(calls);
    execvp(words[6], words + 6);
    give_up(words[6]);
  }
  close(go[0]);
  constexpr long kOptions = PTRACE_O_TRACEFORK | PTRACE_O_TRACEVFORK | PTRACE_O_TRACECLONE |
                            PTRACE_O_TRACEEXEC | PTRACE_O_TRACESECCOMP | PTRACE_O_TRACESYSGOOD |
                            PTRACE_O_EXITKILL;
  if (ptrace(PTRACE_SEIZE, first, nullptr, kOptions) != 0) give_up("ptrace");
  if (write(go[1], "g", 1) != 1) give_up("pipe");
  close(go[1]);
  Tracer tracer(std::strcmp(words[2], "tool") == 0, fault->error, std::atol(words[5]));
  const int status = tracer.follow(first);
  std::ofstream(words[1]) << tracer.report(WIFSIGNALED(status) ? WTERMSIG(status) : 0);
  return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}
