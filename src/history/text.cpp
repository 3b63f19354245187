#include "history/text.hpp"

#include <charconv>
#include <cinttypes>
#include <cstdio>

#include "history/codec.hpp"

namespace heddle::history {

using namespace event;

namespace {

using std::string;
using std::string_view;
using std::to_string;

constexpr const char* kDependWords[] = {"in", "out", "inoutset", "mutexinoutset", "all"};
constexpr const char* kSpawnWords[] = {"task", "undeferred", "thread", "beside"};
static_assert(std::size(kDependWords) == static_cast<usize>(DependKind::kAllMemory) + 1);
static_assert(std::size(kSpawnWords) == static_cast<usize>(SpawnKind::kBeside) + 1);

string hex(u64 value) {
  char text[24];
  std::snprintf(text, sizeof text, "0x%" PRIx64, value);
  return text;
}

string depends(const std::vector<Depend>& depends) {
  string text;
  for (const Depend& depend : depends) {
    text += string(" depend ") + kDependWords[static_cast<u8>(depend.kind)];
    if (depend.kind != DependKind::kAllMemory) text += " " + hex(depend.address);
  }
  return text;
}

string what(const Event& event) {
  auto with = [](const char* word, u32 number) { return string(word) + " " + to_string(number); };
  return std::visit(
      Handlers{
          [&](const Spawn& e) {
            string kind =
                e.kind == SpawnKind::kTask ? "" : string(" ") + kSpawnWords[static_cast<u8>(e.kind)];
            return with("spawn", e.child) + kind + depends(e.depends);
          },
          [&](const Begin& e) { return with("begin", e.thread); },
          [&](const End&) { return string("end"); },
          [&](const JoinThread& e) { return with("join-thread", e.child); },
          [&](const DetachThread& e) { return with("detach-thread", e.child); },
          [&](const WaitChildren&) { return string("wait-children"); },
          [&](const WaitDepend& e) { return "wait-depend" + depends(e.depends); },
          [&](const GroupOpen&) { return string("group-open"); },
          [&](const GroupClose&) { return string("group-close"); },
          [&](const Fork& e) { return with("fork", e.team); },
          [&](const TeamBegin& e) { return with("team-begin", e.team) + " " + to_string(e.thread); },
          [&](const WorkBegin& e) { return with("work-begin", e.team) + " " + to_string(e.thread); },
          [&](const BarrierArrive& e) { return with("barrier-arrive", e.team); },
          [&](const BarrierLeave& e) { return with("barrier-leave", e.team); },
          [&](const Join& e) { return with("join", e.team); },
          [&](const Signal& e) { return with("signal", e.object) + (e.replace ? " replace" : ""); },
          [&](const Await& e) { return with("await", e.object); },
          [&](const Acquire& e) {
            return with("acquire", e.lock) + (e.write ? "" : " read") + (e.tries ? " tries" : "") +
                   (e.site ? " site " + to_string(e.site) : "");
          },
          [&](const Release& e) { return with("release", e.lock) + (e.write ? "" : " read"); },
          [&](const Bind&) { return string("bind"); },
          [&](const Access& e) {
            return string(e.write ? "write " : "read ") + hex(e.address) + " " + to_string(e.size) +
                   (e.atomic ? " atomic" : "") + (e.bound ? " bound" : "") +
                   (e.site ? " site " + to_string(e.site) : "");
          },
          [&](const NewMemory& e) { return "new-memory " + hex(e.address) + " " + to_string(e.size); },
      },
      event);
}

// The words of a line, and the first error in them.
class Words {
 public:
  explicit Words(string_view line) : left_(line.substr(0, line.find('#'))) { skip(); }

  bool empty() const { return left_.empty(); }
  string_view word() {
    if (left_.empty()) {
      complain("the line ends too early");
      return {};
    }
    usize size = 0;
    while (size < left_.size() && !is_space(left_[size])) ++size;
    string_view word = left_.substr(0, size);
    left_.remove_prefix(size);
    skip();
    return word;
  }
  // Takes the next word if it is this one.
  bool accept(string_view expected) {
    string_view before = left_;
    if (!left_.empty() && word() == expected) return true;
    left_ = before;
    return false;
  }
  template <class T = u32>
  T number() {
    string_view text = word();
    string_view digits = text;
    int base = 10;
    if (digits.starts_with("0x")) digits.remove_prefix(2), base = 16;
    T value = 0;
    auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value, base);
    if (error != std::errc() || end != digits.data() + digits.size() || digits.empty())
      complain("'" + string(text) + "' is not a number" + (sizeof(T) == 4 ? " of 32 bits" : ""));
    return value;
  }
  void complain(string problem) {
    if (problem_.empty()) problem_ = std::move(problem);
  }
  const string& problem() const { return problem_; }

 private:
  static bool is_space(char c) { return c == ' ' || c == '\t' || c == '\r'; }
  void skip() {
    while (!left_.empty() && is_space(left_.front())) left_.remove_prefix(1);
  }
  string_view left_;
  string problem_;
};

std::vector<Depend> read_depends(Words& words) {
  std::vector<Depend> depends;
  while (words.accept("depend")) {
    string_view kind = words.word();
    u8 which = 0;
    while (which < std::size(kDependWords) && kind != kDependWords[which]) ++which;
    if (which == std::size(kDependWords)) {
      words.complain("unknown dependence '" + string(kind) + "'");
      return depends;
    }
    Depend depend{0, static_cast<DependKind>(which)};
    if (depend.kind != DependKind::kAllMemory) depend.address = words.number<u64>();
    depends.push_back(depend);
  }
  if (depends.size() > 0xffff) words.complain("more than 65535 dependences");
  return depends;
}

SpawnKind read_spawn_kind(Words& words) {
  for (u8 kind = 0; kind < std::size(kSpawnWords); ++kind)
    if (words.accept(kSpawnWords[kind])) return static_cast<SpawnKind>(kind);
  return SpawnKind::kTask;
}

Access read_access(Words& words, u32 task, bool write) {
  Access access{.task = task};
  access.write = write;
  access.address = words.number<u64>();
  access.size = words.number();
  access.atomic = words.accept("atomic");
  access.bound = words.accept("bound");
  if (words.accept("site")) access.site = words.number();
  if (access.size == 0 || access.address > ~u64{0} - access.size) words.complain("there are no such bytes");
  return access;
}

NewMemory read_new_memory(Words& words, u32 task) {
  NewMemory memory{task, words.number<u64>()};
  memory.size = words.number<u64>();
  if (memory.size == 0 || memory.address > ~u64{0} - memory.size) words.complain("there are no such bytes");
  return memory;
}

Event read_event(Words& words) {
  const u32 task = words.number();
  const string_view verb = words.word();
  if (verb == "read" || verb == "write") return read_access(words, task, verb == "write");
  if (verb == "new-memory") return read_new_memory(words, task);
  if (verb == "spawn") {
    Spawn spawn{task, words.number()};
    spawn.kind = read_spawn_kind(words);
    spawn.depends = read_depends(words);
    return spawn;
  }
  if (verb == "wait-depend") return WaitDepend{task, read_depends(words)};
  if (verb == "begin") return Begin{task, words.number()};
  if (verb == "end") return End{task};
  if (verb == "join-thread") return JoinThread{task, words.number()};
  if (verb == "detach-thread") return DetachThread{task, words.number()};
  if (verb == "wait-children") return WaitChildren{task};
  if (verb == "group-open") return GroupOpen{task};
  if (verb == "group-close") return GroupClose{task};
  if (verb == "fork") return Fork{task, words.number()};
  if (verb == "team-begin" || verb == "work-begin") {
    const u32 team = words.number(), thread = words.number();
    if (verb == "team-begin") return TeamBegin{task, team, thread};
    return WorkBegin{task, team, thread};
  }
  if (verb == "barrier-arrive") return BarrierArrive{task, words.number()};
  if (verb == "barrier-leave") return BarrierLeave{task, words.number()};
  if (verb == "join") return Join{task, words.number()};
  if (verb == "signal") {
    const u32 object = words.number();
    return Signal{task, object, words.accept("replace")};
  }
  if (verb == "await") return Await{task, words.number()};
  if (verb == "acquire" || verb == "release") {
    const u32 lock = words.number();
    const bool write = !words.accept("read");
    if (verb == "release") return Release{task, lock, write};
    const bool tries = words.accept("tries");
    return Acquire{task, lock, write, tries, words.accept("site") ? words.number() : 0};
  }
  if (verb == "bind") return Bind{task};
  words.complain("unknown event '" + string(verb) + "'");
  return Bind{task};
}

}  // namespace

string to_text(const Event& event) { return to_string(task_of(event)) + " " + what(event) + "\n"; }

ParsedLine parse_line(string_view line) {
  Words words(line);
  if (words.empty()) return {};
  Event event = read_event(words);
  if (!words.empty()) words.complain("'" + string(words.word()) + "' is too much");
  if (!words.problem().empty()) return {std::nullopt, words.problem()};
  return {std::move(event), {}};
}

bool TextSource::next(Batch& batch) {
  batch = {};
  memory_.clear();
  string_view line;
  while (!over_ && lines_.next(line)) {
    ParsedLine parsed = parse_line(line);
    if (parsed.event && largest_number(*parsed.event) >= number_limit(lines_.number()))
      parsed.problem = "numbers of tasks, locks and so on must be dense; this one is too large";
    if (!parsed.problem.empty()) {
      problem_ = "line " + to_string(lines_.number()) + ": " + parsed.problem;
      over_ = true;
      return false;
    }
    if (!parsed.event) continue;
    event_ = std::move(*parsed.event);
    batch.task = task_of(event_);
    auto* access = std::get_if<Access>(&event_);
    auto* memory = std::get_if<NewMemory>(&event_);
    if (access)
      put_memory(*access, memory_);
    else if (memory)
      put_memory(*memory, memory_);
    else
      batch.event = &event_;
    batch.memory = memory_;
    return true;
  }
  return false;
}

}  // namespace heddle::history
