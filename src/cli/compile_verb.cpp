// heddle cc, heddle c++, heddle fc: replaces itself by the real compiler, with instrumentation.
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

// The linked binary is processed afterwards, see code_table.hpp.
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

// Among the compiler's arguments, ours begin with --heddle-.
Result<Options> take_own_options(Arguments& arguments) {
  Options own;
  for (const std::string& argument : arguments)
    if (argument.starts_with("--heddle-"))
      if (auto added = own.add_setting(std::string_view(argument).substr(2), argument); !added)
        return Error{added.error()};
  std::erase_if(arguments, [](const std::string& argument) { return argument.starts_with("--heddle-"); });
  return own;
}

int compile(const wrapper::WrapperName& wanted, const Arguments& given) {
  const auto layout = launch::find_layout();
  if (!layout) return fail(layout.error());
  const auto compiler = wrapper::choose_compiler(wanted);
  if (!compiler) return fail(compiler.error());

  auto response = wrapper::expand_response_files(given);
  if (!response) return fail(response.error());
  wrapper::ExpandedArguments& expanded = *response;
  const auto own = take_own_options(expanded.arguments);
  if (!own) return fail(own.error());
  wrapper::WrapperOptions options{enabled("HEDDLE_SHARED") || own->flag("heddle-shared"), ""};
  if (wrapper::analyse(expanded.arguments).compiles) options.version = wrapper::version_of(*compiler);
  auto arguments = wrapper::instrumented(compiler->family, expanded.arguments, *layout, options);
  if (!arguments) return fail(arguments.error());

  Arguments words = compiler->words;
  if (expanded.from_file) {
    // Arguments that came from a response file may be too long for a command line.
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

int run_cc(Settings& settings) { return compile({wrapper::Language::C, std::nullopt}, settings.operands); }
int run_cxx(Settings& settings) { return compile({wrapper::Language::Cxx, std::nullopt}, settings.operands); }
int run_fc(Settings& settings) {
  return compile({wrapper::Language::Fortran, std::nullopt}, settings.operands);
}

constexpr Verb wrapper_verb(std::string_view name, std::string_view summary, int (*run)(Settings&)) {
  return {name,
          options::kCompile,
          Operands::kCompiler,
          summary,
          "[--heddle-shared] COMPILER-ARGUMENTS...",
          "Takes the arguments of the compiler and runs it, so that Heddle's runtime sees memory accesses, "
          "tasks and "
          "locks: gcc, g++ or gfortran, or what HEDDLE_CC, HEDDLE_CXX or HEDDLE_FC names. Adds -g unless a "
          "-g option "
          "is given, and defines the macro HEDDLE. Objects of GCC and clang may be mixed. The wrapper has "
          "names of its "
          "own for build systems: heddle-cc heddle-c++ heddle-gcc heddle-g++ heddle-clang heddle-clang++ "
          "heddle-gfortran.",
          "  heddle c++ -O2 -fopenmp app.cpp -o app && heddle run ./app\n"
          "  make CC=heddle-cc CXX=heddle-c++\n"
          "  cmake -B build -DCMAKE_C_COMPILER=heddle-clang -DCMAKE_CXX_COMPILER=heddle-clang++\n"
          "  HEDDLE_CXX=/opt/gcc-13/bin/g++ heddle c++ app.cpp\n",
          run};
}

}  // namespace

const Verb kCcVerb = wrapper_verb("cc", "compile and link C with Heddle", run_cc);
const Verb kCxxVerb = wrapper_verb("c++", "compile and link C++ with Heddle", run_cxx);
const Verb kFcVerb = wrapper_verb("fc", "compile and link Fortran with Heddle", run_fc);

int run_wrapper(std::string_view name, const Arguments& arguments) {
  return compile(*wrapper::parse_wrapper_name(name), arguments);
}

}  // namespace heddle::cli
