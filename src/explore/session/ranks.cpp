#include "explore/session/ranks.hpp"

#include <dlfcn.h>
#include <fcntl.h>
#include <linux/close_range.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <thread>

#include "launch/layout.hpp"
#include "support/files.hpp"

namespace heddle::explore {
namespace {

// Of Open MPI; of MPICH, Intel MPI and Slurm.
constexpr std::array kSizes = {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE"};

bool in_job() {
  return std::any_of(kSizes.begin(), kSizes.end(), [](const char* name) {
    const char* size = std::getenv(name);
    return size && std::atoi(size) > 1;
  });
}

// Variables that differ between ranks: the launcher's, and a path that contains our process id.
bool is_of_the_rank(std::string_view variable) {
  static constexpr std::array kBeginnings = {"OMPI_",  "PMIX_", "PMI_",     "PRTE_",  "ORTE_",
                                             "HYDRA_", "MPI_",  "MPIEXEC_", "SLURM_", "HEDDLE_LOG_PATH="};
  return std::any_of(kBeginnings.begin(), kBeginnings.end(),
                     [&](const char* beginning) { return variable.starts_with(beginning); });
}

// Copies the pipe to `to` until the last writer closes it; -1: discards it.
void pass_on(int pipe, int to) {
  std::array<char, 4096> block;
  for (;;) {
    const ssize_t size = read_some(pipe, block.data(), block.size());
    if (size <= 0) break;
    if (to >= 0) write_all(to, {block.data(), static_cast<usize>(size)});
  }
  close(pipe);
}

constexpr char kGo[] = "go", kNot[] = "not";
// First letter of a rank's message: its layout follows, or a problem.
constexpr char kFine = '+', kWrong = '-';

}  // namespace

Result<std::unique_ptr<Job>> Job::join() {
  std::unique_ptr<Job> job;
  if (!in_job()) return job;
  const auto layout = launch::find_layout();
  if (!layout) return Error{layout.error()};
  const auto path = layout->library / "libheddle_mpi.so";
  // MPI's own modules look up its functions among all loaded libraries.
  void* library = dlopen(path.c_str(), RTLD_NOW | RTLD_GLOBAL);
  if (!library)
    return Error{"started under mpirun, but MPI support is unavailable: " + std::string(dlerror()) +
                 " (Heddle must be built where MPI is installed)"};
  auto* join = reinterpret_cast<JoinRanks*>(dlsym(library, kJoinRanks));
  std::string problem = "no function in " + path.string();
  Ranks* ranks = join ? join(problem) : nullptr;
  if (!ranks) return Error{problem};
  job.reset(new Job);
  job->ranks_.reset(ranks);
  // A signal that ends the job reaches all its processes. Rank 0 decides what remains to do, and tells the others.
  if (!job->coordinates())
    for (int signal : {SIGINT, SIGTERM}) std::signal(signal, SIG_IGN);
  return job;
}

u32 Job::agree_on_jobs(u32 wanted) {
  if (coordinates()) {
    jobs_ = wanted ? wanted : std::max(1u, std::thread::hardware_concurrency() / ranks_->on_this_machine());
    for (u32 rank = 1; rank < ranks_->size(); ++rank) send(rank, std::to_string(jobs_));
  } else {
    jobs_ = static_cast<u32>(std::stoul(receive(0)));
  }
  return jobs_;
}

void Job::adapt(ProgramOptions& options) const {
  options.at_fixed_addresses = true;
  options.shows_output = coordinates();
  std::erase_if(options.environment, is_of_the_rank);
  const int nothing = open("/dev/null", O_RDWR | O_CLOEXEC);
  options.standard_input = nothing;
  if (!coordinates()) options.standard_error = nothing;
  if (int pipe[2]; pipe2(pipe, O_CLOEXEC) == 0) {
    options.standard_output = pipe[1];
    std::thread(pass_on, pipe[0], coordinates() ? STDOUT_FILENO : -1).detach();
  }
  // MPI's descriptors must not reach the program. Ours have higher numbers.
  constexpr unsigned kFirst = 3, kLast = 199;
  syscall(SYS_close_range, kFirst, kLast, CLOSE_RANGE_CLOEXEC);
}

Result<std::vector<std::unique_ptr<RemoteExecutor>>> Job::gather(const Result<StartedProgram>& exploration) {
  std::string problem = exploration ? "" : exploration.error();
  const std::string layout = exploration ? exploration->program->layout() : "";
  for (u32 rank = 1; rank < ranks_->size(); ++rank) {
    const std::string said = receive(rank);
    if (!problem.empty()) continue;
    if (said.front() == kWrong)
      problem = "rank " + std::to_string(rank) + ": " + said.substr(1);
    else if (said.substr(1) != layout)
      problem = "the program lies at other addresses on rank " + std::to_string(rank) +
                " than on rank 0, so their executions cannot be compared: another version of it or of its "
                "libraries, or a kernel that does not let addresses be fixed (personality)";
  }
  const bool sequential = exploration && exploration->program->sequential();
  for (u32 rank = 1; rank < ranks_->size(); ++rank) send(rank, !problem.empty() || sequential ? kNot : kGo);
  if (!problem.empty()) return Error{problem};
  std::vector<std::unique_ptr<RemoteExecutor>> executors;
  if (sequential) return executors;
  const auto names = exploration->program->executors().front()->names;
  for (u32 lane = 1; lane <= jobs_; ++lane)
    for (u32 rank = 1; rank < ranks_->size(); ++rank)
      executors.push_back(
          std::make_unique<RemoteExecutor>(std::make_unique<RankChannel>(*ranks_, rank, lane), names));
  return executors;
}

u32 Job::finish(std::vector<std::unique_ptr<RemoteExecutor>>& executors) {
  u32 assumptions = 0;
  if (executors.empty()) return assumptions;
  for (auto& executor : executors) executor->finish();
  executors.clear();
  for (u32 rank = 1; rank < ranks_->size(); ++rank)
    assumptions |= static_cast<u32>(std::stoul(receive(rank)));
  return assumptions;
}

int Job::serve(Result<StartedProgram>& exploration) {
  send(0, exploration ? kFine + exploration->program->layout() : kWrong + exploration.error());
  if (receive(0) != kGo) return 0;
  Program& program = *exploration->program;
  std::vector<std::thread> threads;
  for (u32 i = 0; i < jobs_; ++i) {
    Executor& executor = *program.executors()[i];
    executor.names = program.executors().front()->names;
    threads.emplace_back([this, &executor, i] {
      RankChannel channel(*ranks_, 0, i + 1);
      explore::serve(executor, channel);
    });
  }
  for (std::thread& thread : threads) thread.join();
  send(0, std::to_string(program.assumptions()));
  return 0;
}

}  // namespace heddle::explore
