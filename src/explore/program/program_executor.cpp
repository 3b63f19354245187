#include "explore/program/program_executor.hpp"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/personality.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <fstream>
#include <sstream>

#include "explore/program/shared_board.hpp"
#include "explore/program/step_watch.hpp"
#include "explore/schedule.hpp"
#include "support/files.hpp"

namespace heddle::explore {

using control::Board;
using control::BoardEnd;
using control::Message;

namespace {

Error cannot(const std::string& what) { return {"cannot " + what + ": " + std::strerror(errno)}; }

constexpr int kMoment = 20;  // milliseconds between two checks of the clock

// An error number, or 0.
int spawn(const ProgramOptions& options, char** words, char** variables, pid_t& process) {
  // In its own process group: a signal that interrupts the tool must not kill an execution in the middle.
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
  posix_spawnattr_setpgroup(&attributes, 0);
  posix_spawn_file_actions_t files;
  posix_spawn_file_actions_init(&files);
  const int standard[] = {options.standard_input, options.standard_output, options.standard_error};
  int error = 0;
  for (int descriptor = 0; descriptor < 3 && !error; ++descriptor)
    if (standard[descriptor] >= 0)
      error = posix_spawn_file_actions_adddup2(&files, standard[descriptor], descriptor);
  // Inherited by the child.
  constexpr unsigned long kAsk = 0xffffffff;
  const int before = personality(kAsk);
  if (options.at_fixed_addresses) personality(static_cast<unsigned long>(before) | ADDR_NO_RANDOMIZE);
  if (!error) error = posix_spawn(&process, options.path.c_str(), &files, &attributes, words, variables);
  if (options.at_fixed_addresses) personality(static_cast<unsigned long>(before));
  posix_spawn_file_actions_destroy(&files);
  posix_spawnattr_destroy(&attributes);
  return error;
}

}  // namespace

// One server of the program, and the memory it shares with the tool.
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
    if (theirs_ < 0) return cannot("make a socket");
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

  // The first message of the program's server. False: it was cancelled, or ended without a message.
  Result<bool> wait_until_ready(const std::function<bool()>& given_up) {
    for (pollfd ready{socket_, POLLIN, 0}; poll(&ready, 1, kMoment) <= 0;)
      if (given_up && given_up()) return false;
    auto message = Message::kEnded;
    const ssize_t got = read_some(socket_, reinterpret_cast<char*>(&message), sizeof message);
    if (got < 0 && errno != ECONNRESET) return cannot("hear from the program");
    return got > 0 && message == Message::kReady;
  }

  void restart(const Stepping& needed) override {
    stepping = needed;
    program_.assumptions_ = 0;
  }

  Execution run(const Prefix& prefix, Guide& guide) override {
    write_board(prefix);
    int status = 0;
    if (std::string problem = execute(&guide, status); !problem.empty()) return failed(problem);
    if (board_->steering.reached) program_.has_seen_goal_ = true;
    return finish(status);
  }

  SteeredRun steer(const SteerRequest& request) {
    write_board({});
    board_->mode = control::BoardMode::kReplay;
    board_->shows_output = true;
    board_->split_acquisitions = board_->repeat_polls = true;  // as a replay does
    board_->prefix_length = static_cast<u32>(request.prefix.size());
    for (usize i = 0; i < request.prefix.size(); ++i) {
      board_->prefix[i] = request.prefix[i].actor;
      board_->expected[i] = request.prefix[i].op;
      board_->finds_free[i] = false;  // a steering prefix does not say
    }
    control::Steering& steering = board_->steering;
    static_cast<control::SteeringInput&>(steering) = request.steering;
    static_cast<control::SteeringResult&>(steering) = {};
    put_places(*board_, request.places);
    SteeredRun result;
    result.problem = execute(nullptr, result.status);
    board_->mode = control::BoardMode::kExplore;
    static_cast<control::SteeringInput&>(steering) = {};
    steering.places = 0;
    if (!result.problem.empty()) {
      result.end = End::kCrashed;
      return result;
    }
    collector_.finish(records_);
    collector_.reset();
    records_.clear();
    update_names();
    result.end = end_of(result.status, result.problem);
    for (u32 i = 0; i < board_->steps; ++i) {
      const control::StepRecord& step = board_->trace[i];
      result.choices.push_back({numbers_[step.actor], step.op, step.object, step.sites});
    }
    static_cast<control::SteeringResult&>(result) = steering;
    for (u32& actor : result.meeting) actor = numbers_[actor];
    return result;
  }

 private:
  // Returns a problem, or nothing.
  std::string execute(Guide* guide, int& status) {
    const std::string gone = "the program's server is gone";
    auto message = Message::kRun;
    if (!send(message)) return gone;
    for (;;) {
      if (std::string problem = wait_for_message(); !problem.empty()) return problem;
      if (!receive(&message, 1)) return errno ? gone + ": " + std::strerror(errno) : gone;
      if (message == Message::kEnded) break;
      if (message == Message::kAsk && guide) answer(*guide);
    }
    if (receive(&status, sizeof status)) return "";
    return errno ? gone + ": " + std::strerror(errno) : gone;
  }

  void write_board(const Prefix& prefix) {
    board_->shows_output = !program_.shown_.exchange(true);
    board_->split_acquisitions = stepping.split_acquisitions;
    board_->repeat_polls = stepping.repeat_polls;
    board_->leaves_polls = board_->assumptions = 0;
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
    board_->steering.goal = program_.watched_goal_;
    board_->steering.any_address = program_.watches_any_address_;
    board_->steering.reached = 0;
    put_places(*board_, program_.watched_places_);
    board_->prefix_length = static_cast<u32>(prefix.actors.size());
    std::copy(prefix.actors.begin(), prefix.actors.end(), board_->prefix);
    avoid(prefix.avoid);
  }
  void avoid(const std::vector<ActorNumber>& actors) {
    board_->avoided = static_cast<u32>(actors.size());
    for (usize i = 0; i < actors.size(); ++i) board_->avoid[i] = on_board(actors[i]);
  }
  // Other workers may have added names meanwhile: the board's numbers and the exploration's differ.
  void update_names() {
    for (u32 i = static_cast<u32>(numbers_.size()); i < board_->actors; ++i)
      numbers_.push_back(names->find_or_add({numbers_[board_->names[i].parent], board_->names[i].index}));
  }
  u32 on_board(ActorNumber actor) const {
    return static_cast<u32>(std::find(numbers_.begin(), numbers_.end(), actor) - numbers_.begin());
  }

  bool send(Message message) {
    for (;;)  // a server that is gone is no reason to be killed by SIGPIPE
      if (const ssize_t sent = ::send(socket_, &message, sizeof message, MSG_NOSIGNAL); sent > 0)
        return true;
      else if (errno != EINTR)
        return false;
  }
  bool receive(void* data, usize size) {
    auto* at = static_cast<char*>(data);
    while (size > 0) {
      errno = 0;
      const ssize_t got = read_some(socket_, at, size);
      if (got <= 0) return false;
      at += got;
      size -= static_cast<usize>(got);
    }
    return true;
  }

  // Takes records meanwhile; ends an execution that makes no step for too long. Returns a problem, or nothing.
  std::string wait_for_message() {
    StepWatch watch(program_.options_.step_timeout);
    for (int wait = 0;; wait = collector_.take_ready(records_) ? 0 : kMoment) {
      pollfd ready{socket_, POLLIN, 0};
      int got = poll(&ready, 1, wait);
      if (got > 0) return "";
      if (got < 0 && errno != EINTR) return std::strerror(errno);
      if (!aborted_ && is_unwanted()) {
        aborted_ = true;
        kill_execution();
      }
      if (!given_up_ && watch.is_stuck(static_cast<pid_t>(board_->process), board_->steps)) {
        given_up_ = true;
        kill_execution();
      }
    }
  }

  void kill_execution() {
    if (board_->process) kill(static_cast<pid_t>(board_->process), SIGKILL);
  }

  void answer(Guide& guide) {
    update_names();
    TraceRecords all = records_;
    collector_.peek(all);
    Execution so_far;
    const bool is_understood = read_trace(*board_, all, numbers_, so_far).empty();
    std::vector<ActorNumber> avoided, enabled;
    for (u32 i = 0; i < board_->avoided; ++i) avoided.push_back(numbers_[board_->avoid[i]]);
    for (u32 i = 0; i < board_->enabled; ++i) enabled.push_back(numbers_[board_->can_go_on[i]]);
    const ActorNumber next = is_understood ? guide.next(so_far, enabled, avoided) : Guide::kNobody;
    board_->answer = next == Guide::kNobody ? Board::kNobody : on_board(next);
    avoid(avoided);
    send(Message::kAnswer);  // if it is gone, that shows when its next message does not come
  }

  Execution finish(int status) {
    collector_.finish(records_);
    collector_.reset();
    update_names();
    Execution execution;
    const std::string problem =
        read_trace(*board_, records_, numbers_, execution, aborted_ ? std::function<bool()>{} : unwanted);
    execution.leaves_polls = board_->leaves_polls != 0;
    program_.assumptions_ |= board_->assumptions;
    records_.clear();
    if (!problem.empty() || execution.end == End::kAborted) {
      given_up_ = aborted_ = false;
      return problem.empty() ? execution : failed(problem);
    }
    execution.end = end_of(status, execution.problem);
    return execution;
  }

  End end_of(int status, std::string& problem) {
    problem = board_->problem;
    if (std::exchange(aborted_, false)) return End::kAborted;
    if (std::exchange(given_up_, false)) {
      problem = "an execution made no scheduling step for " +
                std::to_string(static_cast<long>(program_.options_.step_timeout)) +
                " seconds: it does not end, or needs more time (--step-timeout)" + where_they_are();
      return End::kTooLong;
    }
    switch (board_->end) {
      case BoardEnd::kDeadlock:
        return End::kDeadlock;
      case BoardEnd::kLivelock:
        return End::kTooLong;
      case BoardEnd::kStopped:
        return End::kStopped;
      case BoardEnd::kDiverged:
        return End::kDiverged;
      case BoardEnd::kFull:
        broken = problem;
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

  // The last step of each actor.
  std::string where_they_are() const {
    constexpr usize kMost = 16;
    std::string text;
    std::vector<u32> last(board_->actors, 0);  // step + 1
    for (u32 i = 0; i < board_->steps; ++i) last[board_->trace[i].actor] = i + 1;
    for (usize actor = 0; actor < std::min(last.size(), kMost); ++actor) {
      if (last[actor] == 0) continue;
      const control::StepRecord& step = board_->trace[last[actor] - 1];
      text += "; " + names->path(numbers_[actor]) +
              (last[actor] == board_->steps ? " runs, since step " : " is after step ") +
              std::to_string(last[actor] - 1) + " (" + std::string(word(step.op)) + ")";
    }
    return text;
  }

  Execution failed(const std::string& why) {
    Execution execution;
    execution.end = End::kCrashed;
    execution.problem = broken = why;
    return execution;
  }

  Program& program_;
  history::Collector collector_;
  Board* board_ = nullptr;
  int socket_ = -1, theirs_ = -1, board_descriptor_ = -1;
  TraceRecords records_;
  std::vector<ActorNumber> numbers_;  // by the board's
  bool given_up_ = false, aborted_ = false;
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
  program->shown_ = !options.shows_output;
  ProgramOptions how = options;
  if (options.captures_output) {
    program->output_ = far_away(memfd_create("heddle-output", 0));
    if (program->output_ < 0) return cannot("make a file for the program's output");
    fcntl(program->output_, F_SETFD, FD_CLOEXEC);
    fcntl(program->output_, F_SETFL, O_APPEND);
    how.standard_output = how.standard_error = program->output_;
  }
  const int error = spawn(how, words.data(), variables.data(), program->process_);
  if (error != 0) return Error{"cannot start '" + options.path + "': " + std::strerror(error)};

  for (Worker* worker : workers) worker->started();
  for (Worker* worker : workers) {
    const auto ready = worker->wait_until_ready(options.unwanted);
    if (!ready) return Error{ready.error()};
    if (*ready) continue;
    if (options.unwanted && options.unwanted())
      return Error{"it was stopped before the program did anything in parallel"};
    program->sequential_ = true;
    while (waitpid(program->process_, &program->status_, 0) < 0 && errno == EINTR) {
    }
    program->process_ = -1;
    program->executors_.clear();
    break;
  }
  return program;
}

void Program::watch(control::Goal goal, std::span<const control::Place> places, bool any_address) {
  watched_goal_ = goal;
  watched_places_.assign(places.begin(), places.end());
  watches_any_address_ = any_address;
  has_seen_goal_ = false;
}

namespace {

SteeredRun failed_run(std::string why) {
  SteeredRun result;
  result.end = End::kCrashed;
  result.problem = std::move(why);
  return result;
}

}  // namespace

SteeredRun Program::steer(const SteerRequest& request) {
  if (output_ >= 0 && ftruncate(output_, 0) != 0)
    return failed_run(cannot("empty the file of its output").message);
  SteeredRun result = static_cast<Worker&>(*executors_.front()).steer(request);
  if (output_ >= 0) {
    // It is written with O_APPEND: where it is read does not matter to that.
    if (lseek(output_, 0, SEEK_SET) < 0 || read_all(output_, result.output) != 0)
      return failed_run(cannot("read what the program printed").message);
  }
  return result;
}

std::string Program::layout() const {
  if (process_ <= 0) return "";
  const std::string folder = "/proc/" + std::to_string(process_);
  std::string result;
  std::ifstream maps(folder + "/maps");
  for (std::string line; std::getline(maps, line);) {
    std::istringstream words(line);
    std::string range, rights, offset, device, inode, path;
    words >> range >> rights >> offset >> device >> inode >> path;
    result += range + " " + rights + " " + offset + " " + path + "\n";
  }
  // The address of its stack, below arguments and environment.
  std::ifstream status(folder + "/stat");
  std::string text((std::istreambuf_iterator<char>(status)), {});
  std::istringstream fields(text.substr(std::min(text.rfind(')') + 1, text.size())));
  std::string field;
  constexpr int kStartOfStack = 28 - 2;
  for (int i = 0; i < kStartOfStack; ++i) fields >> field;
  return result + "stack " + field + "\n";
}

Program::~Program() {
  executors_.clear();  // the servers see that their client has gone
  if (output_ >= 0) ::close(output_);
  if (process_ > 0) {
    kill(-process_, SIGKILL);
    while (waitpid(process_, nullptr, 0) < 0 && errno == EINTR) {
    }
  }
}

}  // namespace heddle::explore
