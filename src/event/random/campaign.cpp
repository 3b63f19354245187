#include "event/random/campaign.hpp"

#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "event/listing.hpp"
#include "event/random/shrink.hpp"

namespace heddle::event {
namespace {

// What a child process reports to its parent, however it ends.
struct Note {
  u64 number;
  char words[1000];
};

Note* shared_note() {
  static Note* note = static_cast<Note*>(
      mmap(nullptr, sizeof(Note), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0));
  return note;
}

// True if the child found a disagreement (or crashed).
template <class F>
bool in_child(F&& finds_disagreement) {
  Note& note = *shared_note();
  snprintf(note.words, sizeof note.words, "the engine crashed");
  fflush(nullptr);
  pid_t child = fork();
  if (child == 0) {
    std::optional<std::string> found = finds_disagreement(note);
    if (found) snprintf(note.words, sizeof note.words, "%s", found->c_str());
    _exit(found ? 1 : 0);
  }
  int status = 0;
  waitpid(child, &status, 0);
  return !(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

u64 from_environment(const char* name, u64 otherwise) {
  const char* text = getenv(name);
  return text && *text ? strtoull(text, nullptr, 10) : otherwise;
}

}  // namespace

Rng numbered_rng(Model model, u64 number) { return Rng(number * 8 + static_cast<u64>(model)); }

Program numbered_program(Model model, u64 number) {
  Rng rng = numbered_rng(model, number);
  return generate(model, rng);
}

Run numbered_run(Model model, u64 number) {
  Rng rng = numbered_rng(model, number);
  Program program = generate(model, rng);
  return schedule(program, rng);
}

u64 campaign_programs() { return from_environment("HEDDLE_ORACLE_PROGRAMS", 100000); }
u64 campaign_seed() { return from_environment("HEDDLE_ORACLE_SEED", 1); }

std::string run_campaign(Model model, const Judge& judge, u64 programs, const Change& change) {
  auto run = [&](u64 number) {
    Rng rng = numbered_rng(model, number);
    Program program = generate(model, rng);
    History history = schedule(program, rng).history;
    return change ? change(std::move(history), rng) : history;
  };
  constexpr u64 kBatch = 5000;  // about 50 MB of task records, which the child's end frees
  u64 first = campaign_seed(), last = first + programs;
  for (u64 from = first; from < last; from += kBatch) {
    bool found = in_child([&](Note& note) -> std::optional<std::string> {
      for (u64 number = from; number < last && number < from + kBatch; ++number) {
        note.number = number;
        if (auto words = judge(run(number))) return words;
      }
      return std::nullopt;
    });
    if (!found) continue;
    u64 number = shared_note()->number;
    std::string first_words = shared_note()->words;
    auto shows_fault = [&](const History& history) {
      return in_child([&](Note&) { return judge(history); });
    };
    History history = run(number);
    if (!shows_fault(history))
      return "program " + std::to_string(number) + " disagreed only after others: " + first_words;
    History smallest = shrink(history, shows_fault);
    shows_fault(smallest);
    return std::string(name(model)) + " program " + std::to_string(number) + ": " + shared_note()->words +
           "\n" + listing(smallest) + as_code(smallest);
  }
  return {};
}

}  // namespace heddle::event
