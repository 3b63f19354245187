#include "explore/program/program_executor.hpp"

#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>

#include "explore/program/shared_board.hpp"

namespace heddle::explore {

using control::Board;
using control::BoardEnd;
using control::Message;
using report::Error;
using report::Result;

namespace {

Error cannot(const std::string& what) { return {"cannot " + what + ": " + std::strerror(errno)}; }

using Clock = std::chrono::steady_clock;

}  // namespace

// One server of the program, and what it shares with us.
class Program::Worker : public Executor {
 public:
  Worker(Program& program, history::Collector collector)
      : program_(program), collector_(std::move(collector)) {}
  ~Worker() override {
    if (board_) munmap(board_, sizeof(Board));
    for (int descriptor : {socket_, theirs_, board_descriptor_})
      if (descriptor >= 0) ::close(descriptor);
  }

  std::optional<Error> prepare() {
    int sockets[2];
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, sockets) != 0) return cannot("make a socket");
    socket_ = sockets[0];
    theirs_ = far_away(sockets[1]);
    auto shared = make_board();
    if (!shared) return Error{shared.error()};
    board_descriptor_ = shared->descriptor;
    board_ = shared->board;
    board_->mode = control::BoardMode::kExplore;
    board_->choose_at_accesses = program_.options_.choose_at_accesses;
    board_->choose_at_permissions = program_.options_.choose_at_permissions;
    return std::nullopt;
  }
  std::string descriptors() const {
    return std::to_string(board_descriptor_) + "," + std::to_string(theirs_) + "," +
           std::to_string(collector_.descriptor());
  }
  void started() { ::close(std::exchange(theirs_, -1)); }

  // False: the program has ended without a word.
  bool wait_until_ready() {
    Message message;
    return receive(&message, 1) && message == Message::kReady;
  }

  Execution run(const Prefix& prefix, Guide& guide) override {
    write_board(prefix);
    auto message = Message::kRun;
    if (write(socket_, &message, 1) != 1) return failed("the program's server is gone");
    for (;;) {
      if (std::string problem = wait_for_message(); !problem.empty()) return failed(problem);
      if (!receive(&message, 1)) return failed("the program's server is gone");
      if (message == Message::kEnded) break;
      if (message == Message::kAsk) answer(guide);
    }
    int status = 0;
    if (!receive(&status, sizeof status)) return failed("the program's server is gone");
    return finish(status);
  }

 private:
  void write_board(const Prefix& prefix) {
    board_->shows_output = !program_.shown_.exchange(true);
    board_->split_acquisitions = split_acquisitions;
    board_->end = BoardEnd::kRunning;
    board_->steps = board_->waiting = board_->process = 0;
    board_->problem[0] = 0;
    board_->actors = static_cast<u32>(names->size());
    numbers_.clear();
    for (u32 i = 0; i < board_->actors; ++i) {
      const ActorName name = (*names)[i];
      board_->names[i] = {name.parent, name.index};
      numbers_.push_back(i);
    }
    board_->prefix_length = static_cast<u32>(prefix.actors.size());
    std::copy(prefix.actors.begin(), prefix.actors.end(), board_->prefix);
    avoid(prefix.avoid);
  }
  void avoid(const std::vector<ActorNumber>& actors) {
    board_->avoided = static_cast<u32>(actors.size());
    for (usize i = 0; i < actors.size(); ++i) board_->avoid[i] = on_board(actors[i]);
  }
  // Other workers may have given the next numbers meanwhile: the board's and the exploration's are not the same.
  void learn_names() {
    for (u32 i = static_cast<u32>(numbers_.size()); i < board_->actors; ++i)
      numbers_.push_back(names->find_or_add({numbers_[board_->names[i].parent], board_->names[i].index}));
  }
  u32 on_board(ActorNumber actor) const {
    return static_cast<u32>(std::find(numbers_.begin(), numbers_.end(), actor) - numbers_.begin());
  }

  bool receive(void* data, usize size) {
    auto* at = static_cast<char*>(data);
    while (size > 0) {
      ssize_t got = read(socket_, at, size);
      if (got < 0 && errno == EINTR) continue;
      if (got <= 0) return false;
      at += got;
      size -= static_cast<usize>(got);
    }
    return true;
  }

  // Takes records meanwhile; an execution that makes no step for too long is ended. Returns a problem, or nothing.
  std::string wait_for_message() {
    u32 steps = 0;
    auto since = Clock::now();
    for (int wait = 0;; wait = collector_.take_ready(records_) ? 0 : 20) {
      pollfd ready{socket_, POLLIN, 0};
      int got = poll(&ready, 1, wait);
      if (got > 0) return "";
      if (got < 0 && errno != EINTR) return std::strerror(errno);
      if (steps != board_->steps) {
        steps = board_->steps;
        since = Clock::now();
      } else if (std::chrono::duration<double>(Clock::now() - since).count() > program_.options_.patience) {
        given_up_ = true;
        if (board_->process) kill(static_cast<pid_t>(board_->process), SIGKILL);
        since = Clock::now();
      }
    }
  }

  void answer(Guide& guide) {
    learn_names();
    TraceRecords all = records_;
    collector_.peek(all);
    Execution so_far;
    read_trace(*board_, all, numbers_, so_far);
    std::vector<ActorNumber> avoided, enabled;
    for (u32 i = 0; i < board_->avoided; ++i) avoided.push_back(numbers_[board_->avoid[i]]);
    for (u32 i = 0; i < board_->enabled; ++i) enabled.push_back(numbers_[board_->can_go_on[i]]);
    const ActorNumber next = guide.next(so_far, enabled, avoided);
    board_->answer = next == Guide::kNobody ? Board::kNobody : on_board(next);
    avoid(avoided);
    auto message = Message::kAnswer;
    if (write(socket_, &message, 1) != 1) return;
  }

  Execution finish(int status) {
    collector_.finish(records_);
    collector_.reset();
    learn_names();
    Execution execution;
    read_trace(*board_, records_, numbers_, execution);
    program_.assumptions_ |= board_->assumptions;
    records_.clear();
    execution.end = end_of(status, execution.problem);
    return execution;
  }

  End end_of(int status, std::string& problem) {
    problem = board_->problem;
    if (std::exchange(given_up_, false)) {
      problem = "an execution came to no choice point for " +
                std::to_string(static_cast<long>(program_.options_.patience)) +
                " seconds: it does not end, or needs more time (--patience)";
      return End::kTooLong;
    }
    switch (board_->end) {
      case BoardEnd::kDeadlock:
        return End::kDeadlock;
      case BoardEnd::kLivelock:
        problem = "everyone spins, and nobody gets on";
        return End::kTooLong;
      case BoardEnd::kStopped:
        return End::kStopped;
      case BoardEnd::kDiverged:
        return End::kDiverged;
      case BoardEnd::kFull:
        return End::kTooLong;
      case BoardEnd::kRunning:
        break;
    }
    if (WIFSIGNALED(status)) {
      problem = std::string("killed by ") + strsignal(WTERMSIG(status));
      return End::kCrashed;
    }
    return End::kFinished;
  }

  Execution failed(const std::string& why) {
    Execution execution;
    execution.end = End::kCrashed;
    execution.problem = why;
    return execution;
  }

  Program& program_;
  history::Collector collector_;
  Board* board_ = nullptr;
  int socket_ = -1, theirs_ = -1, board_descriptor_ = -1;
  TraceRecords records_;
  std::vector<ActorNumber> numbers_;  // by the board's
  bool given_up_ = false;
};

Result<std::unique_ptr<Program>> Program::start(const ProgramOptions& options) {
  std::unique_ptr<Program> program(new Program);
  program->options_ = options;
  std::vector<Worker*> workers;
  std::string descriptors;
  for (u32 i = 0; i < options.workers; ++i) {
    auto collector = history::Collector::create();
    if (!collector) return Error{collector.error()};
    auto worker = std::make_unique<Worker>(*program, std::move(*collector));
    if (auto problem = worker->prepare()) return *problem;
    descriptors += (i ? ";" : "") + worker->descriptors();
    workers.push_back(worker.get());
    program->executors_.push_back(std::move(worker));
  }

  std::vector<std::string> environment = options.environment;
  environment.push_back(std::string(control::kWorkers) + "=" + descriptors);
  std::vector<char*> variables, words;
  for (auto& variable : environment) variables.push_back(variable.data());
  std::vector<std::string> arguments = options.words;
  for (auto& word : arguments) words.push_back(word.data());
  variables.push_back(nullptr);
  words.push_back(nullptr);
  // In a group of its own: what interrupts the tool must not kill an execution in the middle.
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
  posix_spawnattr_setpgroup(&attributes, 0);
  int error = posix_spawn(&program->process_, options.path.c_str(), nullptr, &attributes, words.data(),
                          variables.data());
  posix_spawnattr_destroy(&attributes);
  if (error != 0) return Error{"cannot start '" + options.path + "': " + std::strerror(error)};

  for (Worker* worker : workers) worker->started();
  for (Worker* worker : workers) {
    if (worker->wait_until_ready()) continue;
    program->sequential_ = true;
    while (waitpid(program->process_, &program->status_, 0) < 0 && errno == EINTR) {
    }
    program->process_ = -1;
    program->executors_.clear();
    break;
  }
  return program;
}

Program::~Program() {
  executors_.clear();  // the servers see that nobody is there any more
  if (process_ > 0) {
    kill(-process_, SIGKILL);
    while (waitpid(process_, nullptr, 0) < 0 && errno == EINTR) {
    }
  }
}

}  // namespace heddle::explore
