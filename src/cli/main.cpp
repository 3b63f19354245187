// heddle: one command, one verb per file. Under names like heddle-c++ it is the compiler wrapper.
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <exception>
#include <new>
#include <string>
#include <system_error>

#include "cli/verb.hpp"
#include "output/last_words.hpp"
#include "settings/suggest.hpp"
#include "support/files.hpp"
#include "wrapper/compiler.hpp"

namespace heddle::cli {
namespace {

std::string overview() {
  std::string text =
      "heddle finds data races, atomicity violations and deadlocks in OpenMP, oneTBB and threaded C and C++ "
      "programs\n"
      "\n"
      "usage: heddle VERB [arguments]\n"
      "\n";
  usize width = 0;
  for (const Verb* verb : verbs()) width = std::max(width, verb->name.size() + 2);
  for (const Verb* verb : verbs()) {
    std::string name(verb->name);
    name.resize(width, ' ');
    text += "  " + name + std::string(verb->summary) + "\n";
  }
  return text +
         "\n"
         "examples:\n"
         "  heddle c++ -O2 -fopenmp app.cpp -o app     compile; then\n"
         "  heddle run ./app                           run once, read every race on that input\n"
         "  cmake -DCMAKE_CXX_COMPILER=heddle-c++ ..   the wrapper in a build system\n"
         "\n"
         "heddle VERB --help says more; heddle --version says which version this is.\n";
}

int dispatch(const Arguments& arguments) {
  if (arguments.empty()) {
    output::show(overview());
    return kUsageError;
  }
  const std::string& word = arguments.front();
  if (word == "--help" || word == "-h" || word == "help") {
    std::fputs(overview().c_str(), stdout);
    return 0;
  }
  if (word == "--version" || word == "-V") {
    std::puts("heddle " HEDDLE_VERSION);
    return 0;
  }
  std::vector<std::string> names;
  for (const Verb* verb : verbs()) {
    names.emplace_back(verb->name);
    if (verb->name != word) continue;
    if (arguments.size() > 1 && (arguments[1] == "--help" || arguments[1] == "-h")) {
      std::fputs(help_of(*verb).c_str(), stdout);
      return 0;
    }
    auto settings = settings::collect_settings(verb->id, verb->name, verb->operands,
                                               {arguments.begin() + 1, arguments.end()});
    return settings ? verb->run(*settings) : fail(settings.error());
  }
  return fail("unknown verb '" + word + "'" + did_you_mean(word, names) + " (heddle --help lists them)");
}

int run(int argc, char** argv) {
  output::guard_standard_output();
  const std::string path = argc > 0 ? argv[0] : "heddle";
  const std::string name = path.substr(path.rfind('/') + 1);
  const Arguments arguments(argv + std::min(argc, 1), argv + argc);
  const int code = wrapper::parse_wrapper_name(name) ? run_wrapper(name, arguments) : dispatch(arguments);
  return output::all_was_written() ? code : kUsageError;
}

}  // namespace

}  // namespace heddle::cli

// What nobody below can do anything about ends here. What was found by then has been shown, or is kept on the way
// (launch/log_file.hpp).
int main(int argc, char** argv) {
  using namespace heddle::cli;
  heddle::output::install_last_words();
  try {
    return run(argc, argv);
  } catch (const std::bad_alloc&) {
    constexpr std::string_view kMessage = "heddle: out of memory\n";
    heddle::write_all(STDERR_FILENO, kMessage);  // which takes none
    return kIncomplete;
  } catch (const std::system_error& problem) {
    const bool thread = problem.code() == std::errc::resource_unavailable_try_again;
    return fail(std::string(thread ? "cannot start a thread: " : "") + problem.what());
  } catch (const std::exception& problem) {
    return fail(problem.what());
  }
}
