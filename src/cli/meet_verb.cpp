// heddle meet: a concurrent breakpoint (Park 2012, section 6.6): tries to bring two tasks to two places at once.
#include "cli/verb.hpp"
#include "confirm/steered_program.hpp"
#include "confirm/witness_text.hpp"
#include "output/text_file.hpp"

namespace heddle::cli {
namespace {

int run(Settings& settings) {
  auto steering = confirm::steering_of(settings.options);
  if (!steering) return fail(steering.error());
  confirm::SteeringRequest& request = *steering;
  if (settings.operands.size() < 3)
    return fail("heddle meet needs two places and a program; see heddle meet --help");
  confirm::Target target;
  target.kind = confirm::Target::Kind::kMeet;
  for (int place = 0; place < 2; ++place) {
    const auto site = report::site_of_line(settings.operands.front());
    if (!site) return fail(site.error());
    target.sites.push_back(*site);
    target.headline += (place ? " and " : "two tasks at ") + settings.operands.front();
    settings.operands.erase(settings.operands.begin());
  }
  confirm::stop_at_signals();
  auto exploration = confirm::start_steered(settings, request, 1);
  if (!exploration) return fail(exploration.error());
  explore::Program& program = *exploration->program;
  if (program.sequential()) return fail("'" + settings.operands.front() + "' does nothing in parallel");
  request.options.stops = [] { return confirm::steering_interrupted != 0; };
  confirm::VerificationRuntime tries(program);
  confirm::Confirmer confirmer(tries, exploration->watched.path, request.options);
  const confirm::Confirmation met = confirmer.confirm(target);
  if (met.state != confirm::Confirmation::State::kConfirmed) {
    say("they did not meet: " + met.why);
    return met.tries ? kUndecided : kUsageError;
  }
  const auto& names = *program.executors().front()->names;
  const std::string path = request.out + "/" + explore::beside(settings.operands.front(), ".schedule");
  const explore::Schedule schedule = confirm::schedule_of(target, met, names, settings.operands);
  if (!write_text(path, explore::to_text(schedule))) return kUsageError;
  const auto at = [&](usize which) {
    return names.path(met.actors[which]) + " at " + target.sites[which].text.substr(1);
  };
  say("they met: " + at(0) + " and " + at(1) + ", after " + std::to_string(met.tries) +
      (met.tries == 1 ? " try" : " tries") + "; the schedule is " + path);
  if (!met.effect.text.empty()) say("its effect: " + met.effect.text);
  return 0;
}

}  // namespace

const Verb kMeetVerb{"meet",
                     options::kMeet,
                     Operands::kProgram,
                     "find a schedule that brings two tasks to two places at the same time",
                     "[options] FILE:LINE FILE:LINE PROGRAM [arguments]",
                     "The program is executed again and again on the verification runtime. A task that "
                     "reaches one of the places is "
                     "paused until another reaches the other one. The schedule that leads there is "
                     "PROGRAM.schedule; heddle replay --gdb "
                     "stops there. A place is where its line accesses memory. Exit code: 0 if they met, 4 if "
                     "not, 2 if it cannot be "
                     "tried.",
                     "  heddle meet queue.cpp:42 queue.cpp:77 ./app 4\n"
                     "  heddle replay --gdb app.schedule ./app 4\n",
                     run,
                     confirm::strategies_help};

}  // namespace heddle::cli
