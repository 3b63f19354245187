// heddle cc, heddle c++, heddle fc: become the real compiler, with instrumentation asked for.
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>

#include "cli/verb.hpp"
#include "wrapper/code_table.hpp"
#include "wrapper/compiler.hpp"
#include "wrapper/compiler_command.hpp"
#include "wrapper/instrument.hpp"
#include "wrapper/response_file.hpp"

namespace heddle::cli {
namespace {

std::string help_for(const std::string& verb, const std::string& variable, const std::string& compiler) {
  return "heddle " + verb +
         ": compile and link with Heddle\n"
         "\n"
         "usage: heddle " +
         verb +
         " [--heddle-shared] COMPILER-ARGUMENTS...\n"
         "\n"
         "Takes the arguments of the compiler and runs it (" +
         compiler + ", or what $" + variable +
         " names) so that memory\n"
         "accesses, tasks and locks are seen by Heddle's runtime. Adds -g unless a -g option is given. "
         "Objects of GCC\n"
         "and clang may be mixed. Code can ask for #ifdef HEDDLE.\n"
         "\n"
         "  --heddle-shared   use libheddle.so instead of the archive (also HEDDLE_SHARED=1), for programs "
         "that are\n"
         "                    loaded by one that was not built with Heddle\n"
         "\n"
         "The wrapper has names of its own for build systems: heddle-cc heddle-c++ heddle-gcc heddle-g++ "
         "heddle-clang\n"
         "heddle-clang++ heddle-gfortran.\n"
         "\n"
         "examples:\n"
         "  heddle " +
         verb +
         " -O2 -fopenmp app.cpp -o app && heddle run ./app\n"
         "  make CC=heddle-cc CXX=heddle-c++\n"
         "  cmake -B build -DCMAKE_C_COMPILER=heddle-clang -DCMAKE_CXX_COMPILER=heddle-clang++\n"
         "  " +
         variable + "=/opt/gcc-13/bin/" + compiler + " heddle " + verb + " app.cpp\n";
}

std::string cc_help() { return help_for("cc", "HEDDLE_CC", "gcc"); }
std::string cxx_help() { return help_for("c++", "HEDDLE_CXX", "g++"); }
std::string fc_help() { return help_for("fc", "HEDDLE_FC", "gfortran"); }

bool enabled(const char* variable) {
  const char* value = std::getenv(variable);
  return value && *value && std::strcmp(value, "0") != 0;
}

std::vector<char*> argv_of(const Arguments& words) {
  std::vector<char*> argv;
  for (const std::string& word : words) argv.push_back(const_cast<char*>(word.c_str()));
  argv.push_back(nullptr);
  return argv;
}

int cannot_run(const Arguments& words, int error) {
  return fail("cannot run the compiler '" + words[0] + "': " + std::strerror(error));
}

// Only returns on failure.
int become(const Arguments& words) {
  execvp(words[0].c_str(), argv_of(words).data());
  return cannot_run(words, errno);
}

// What is linked is looked at afterwards, see code_table.hpp.
int link_and_mark(const Arguments& words, const std::string& output) {
  pid_t pid = 0;
  if (const int error =
          posix_spawnp(&pid, words[0].c_str(), nullptr, nullptr, argv_of(words).data(), environ))
    return cannot_run(words, error);
  int status = 0;
  while (waitpid(pid, &status, 0) < 0)
    if (errno != EINTR) return fail(std::string("waiting for the compiler: ") + std::strerror(errno));
  if (WIFSIGNALED(status)) raise(WTERMSIG(status));
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
  const auto marked = wrapper::add_code_table(output);
  return marked ? 0 : fail(marked.error());
}

int compile(const wrapper::WrapperName& wanted, const Arguments& given) {
  const auto layout = launch::find_layout();
  if (!layout) return fail(layout.error());
  const auto compiler = wrapper::choose_compiler(wanted);
  if (!compiler) return fail(compiler.error());

  wrapper::WrapperOptions options{enabled("HEDDLE_SHARED"), ""};
  wrapper::ExpandedArguments expanded = wrapper::expand_response_files(given);
  std::erase_if(expanded.arguments, [&](const std::string& argument) {
    if (argument != "--heddle-shared") return false;
    options.shared_runtime = true;
    return true;
  });
  if (wrapper::analyse(expanded.arguments).compiles) options.version = wrapper::version_of(*compiler);
  auto arguments = wrapper::instrumented(compiler->family, expanded.arguments, *layout, options);
  if (!arguments) return fail(arguments.error());

  Arguments words = compiler->words;
  if (expanded.from_file) {
    // What needed a response file once may be too long for a command line.
    const auto file = wrapper::to_response_file(*arguments);
    if (!file) return fail(file.error());
    words.push_back(*file);
  } else {
    words.insert(words.end(), arguments->begin(), arguments->end());
  }
  const wrapper::CompilerCommand command = wrapper::analyse(expanded.arguments);
  if (command.links && !command.query) return link_and_mark(words, command.output);
  return become(words);
}

int run_cc(const Arguments& arguments) { return compile({wrapper::Language::C, std::nullopt}, arguments); }
int run_cxx(const Arguments& arguments) { return compile({wrapper::Language::Cxx, std::nullopt}, arguments); }
int run_fc(const Arguments& arguments) {
  return compile({wrapper::Language::Fortran, std::nullopt}, arguments);
}

}  // namespace

const Verb kCcVerb{"cc", "compile and link C with Heddle", cc_help, run_cc};
const Verb kCxxVerb{"c++", "compile and link C++ with Heddle", cxx_help, run_cxx};
const Verb kFcVerb{"fc", "compile and link Fortran with Heddle", fc_help, run_fc};

int run_wrapper(std::string_view name, const Arguments& arguments) {
  return compile(*wrapper::parse_wrapper_name(name), arguments);
}

}  // namespace heddle::cli
