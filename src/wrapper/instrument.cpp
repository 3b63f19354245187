#include "wrapper/instrument.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <optional>

#include "support/files.hpp"
#include "wrapper/compiler_command.hpp"
#include "wrapper/openmp_library.hpp"

namespace heddle::wrapper {
namespace {

using Words = std::vector<std::string>;

void append(Words& words, const Words& more) { words.insert(words.end(), more.begin(), more.end()); }

// `-Wl,-z,defs,--as-needed` -> `-Wl,--as-needed`; empty when nothing is left. -z defs would reject the hooks
// that a shared object leaves to its executable.
std::string without_defs(const std::string& linker_words) {
  Words parts;
  for (std::size_t begin = 4; begin <= linker_words.size();) {
    const std::size_t end = std::min(linker_words.find(',', begin), linker_words.size());
    parts.push_back(linker_words.substr(begin, end - begin));
    begin = end + 1;
  }
  std::string kept;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (parts[i] == "-z" && i + 1 < parts.size() && parts[i + 1] == "defs") {
      ++i;
    } else if (parts[i] != "-zdefs" && parts[i] != "--no-undefined" && parts[i] != "-no-undefined") {
      kept += "," + parts[i];
    }
  }
  return kept.empty() ? "" : "-Wl" + kept;
}

bool is_gomp(const std::string& arg) {
  if (arg == "-lgomp") return true;
  const std::string name = arg.substr(arg.rfind('/') + 1);
  return arg[0] != '-' && (name == "libgomp.a" || name == "libgomp.so" || name.starts_with("libgomp.so."));
}

// `-fsanitize=thread,undefined` -> `-fsanitize=undefined`; empty when nothing is left.
std::string without_thread(const std::string& arg) {
  const std::size_t equals = arg.find('=');
  std::string kept;
  for (std::size_t begin = equals + 1; begin <= arg.size();) {
    const std::size_t end = std::min(arg.find(',', begin), arg.size());
    if (const std::string name = arg.substr(begin, end - begin); !name.empty() && name != "thread")
      kept += (kept.empty() ? "" : ",") + name;
    begin = end + 1;
  }
  return kept.empty() ? "" : arg.substr(0, equals + 1) + kept;
}

// The user's own arguments, without those that would conflict.
Words adjusted(Family family, const Words& arguments, const CompilerCommand& command, bool hooks_undefined) {
  Words result;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const std::string& arg = arguments[i];
    const auto next_is = [&](std::string_view value) {
      return i + 1 < arguments.size() && arguments[i + 1] == value;
    };
    if (hooks_undefined) {
      if (arg == "-z" && next_is("defs")) {
        ++i;
        continue;
      }
      if (arg == "-Xlinker" && (next_is("--no-undefined") || next_is("-zdefs"))) {
        ++i;
        continue;
      }
      if (arg == "-Xlinker" && next_is("-z") && i + 3 < arguments.size() && arguments[i + 2] == "-Xlinker" &&
          arguments[i + 3] == "defs") {
        i += 3;
        continue;
      }
      if (arg.starts_with("-Wl,")) {
        if (const std::string kept = without_defs(arg); !kept.empty()) result.push_back(kept);
        continue;
      }
    }
    if (takes_separate_value(arg)) {
      if (arg == "-l" && next_is("gomp")) {
        ++i;
        if (!command.openmp) append(result, link_libomp(command.library_directories));
        continue;
      }
      result.push_back(arg);
      if (i + 1 < arguments.size()) result.push_back(arguments[++i]);
      continue;
    }
    if (is_gomp(arg)) {
      // -fopenmp links libomp already; an explicit libgomp alone is replaced by it.
      if (!command.openmp) append(result, link_libomp(command.library_directories));
      continue;
    }
    if (arg == "-static-libtsan" || arg == "-shared-libtsan" || arg == "-shared-libsan" ||
        arg == "-static-libsan")
      continue;
    if (arg.starts_with("-fsanitize=")) {
      if (const std::string kept = without_thread(arg); !kept.empty()) result.push_back(kept);
      continue;
    }
    // An option that switches instrumentation off for one file must not remove the runtime from the link.
    if (arg.starts_with("-fno-sanitize=") && !command.compiles) {
      if (const std::string kept = without_thread(arg); !kept.empty() && kept != "-fno-sanitize=all")
        result.push_back(kept);
      continue;
    }
    if (family == Family::Clang && arg == "-fopenmp") {
      result.push_back("-fopenmp=libomp");
      continue;
    }
    result.push_back(arg);
  }
  return result;
}

// Does a source, or a file that it includes in quotes, include oneTBB's headers or the headers of the standard
// library that use them?
bool mentions_tbb(const std::filesystem::path& source, int depth = 0) {
  constexpr int kDeepest = 8;  // includes of includes; they may be circular
  const auto text = read_file(source.string());
  if (!text) return false;  // the compiler will say so
  for (const std::string_view line : lines_of(*text)) {
    const std::size_t include = line.find("include");
    if (include == std::string::npos || line.find('#') > include) continue;
    if (line.find("tbb/") != std::string::npos || line.find("<execution>") != std::string::npos) return true;
    const std::size_t open = line.find('"', include);
    const std::size_t close = open == std::string::npos ? open : line.find('"', open + 1);
    if (close == std::string::npos || depth == kDeepest) continue;
    if (mentions_tbb(source.parent_path() / line.substr(open + 1, close - open - 1), depth + 1)) return true;
  }
  return false;
}

Words compile_words(Family family, const CompilerCommand& command, const launch::Layout& layout,
                    bool of_tbb) {
  // Last, so that the user's own heddle/async.hpp has precedence.
  Words words{"-DHEDDLE=1", "-idirafter", layout.headers().string()};
  // Before the standard directories, where its header includes the next one of its name.
  append(words, {"-isystem", layout.library_headers().string()});
  if (!command.debug_info) words.push_back("-g");
  // Frame pointers let a report name the local variable at a stack address; their cost is small beside the hooks.
  if (!command.frame_pointer_chosen) words.push_back("-fno-omit-frame-pointer");
  // GCC warns that its own runtime does not model fences. Ours does.
  if (family == Family::Gcc) words.push_back("-Wno-tsan");
  // With these, oneTBB's headers report their synchronisation, and divide loops finely and deterministically; only
  // these headers use the names. The third option keeps the compilers from moving a user's access out of a loop, into
  // code that belongs to the header around it.
  append(words, {"-DTBB_USE_PROFILING_TOOLS=2", "-D__TBB_INITIAL_CHUNKS=64"});
  if (family == Family::Gcc && of_tbb) words.push_back("-fno-move-loop-stores");
  if (family == Family::Clang && of_tbb)
    append(words, {"-mllvm", "-licm-mssa-optimization-cap=0", "-mllvm", "-licm-mssa-max-acc-promotion=0"});
  // Otherwise equal accesses at the ends, or at the beginnings, of two branches would be merged and reported at one
  // line; and so would those of two equal functions (task bodies, for example).
  if (family == Family::Gcc)
    append(words, {"-fno-crossjumping", "-fno-tree-tail-merge", "-fno-tree-sink", "-fno-tree-cselim",
                   "-fno-code-hoisting", "-fno-ipa-icf-functions"});
  if (family == Family::Clang)
    // The third: stores of several lines to adjacent members would become one, reported at the first line. A later
    // -O2 would undo -fno-slp-vectorize. The last: the rounds of a loop could not be counted before it, so its hooks
    // would stay in it.
    append(words, {"-mllvm", "-simplifycfg-sink-common=false", "-mllvm", "-simplifycfg-hoist-common=false",
                   "-mllvm", "-vectorize-slp=false", "-mllvm", "-unroll-runtime=false"});
  if (family == Family::Clang && !command.thread_sanitizer_off)
    // Of `x += 1` it would instrument the write alone, and miss an access between the read and the write.
    append(words, {"-Xclang", "-fsanitize=thread", "-mllvm", "-tsan-compound-read-before-write"});
  return words;
}

// Exports the executable's hooks to instrumented shared objects, and the OpenMP tool to libomp.
Words export_words(const CompilerCommand& command) {
  if (command.linker == "gold") return {"-rdynamic"};  // gold takes names here, no patterns
  return {"-Wl,--export-dynamic-symbol=__tsan_*", "-Wl,--export-dynamic-symbol=__heddle_*",
          "-Wl,--export-dynamic-symbol=ompt_start_tool"};
}

std::optional<Error> refusal(const CompilerCommand& command, const launch::Layout& layout,
                             const WrapperOptions& options) {
  if (!command.incompatible_sanitizers.empty())
    return Error{
        "-fsanitize=" + command.incompatible_sanitizers.front() +
        " cannot be combined with Heddle: both replace the memory functions of the program; build twice"};
  if (!command.links || command.no_default_libraries) return std::nullopt;
  if (command.fully_static)
    return Error{
        "a -static program cannot be checked: Heddle sees malloc, pthread_create and the OpenMP runtime "
        "through dynamic "
        "linking; link without -static (-static-libgcc and -static-libstdc++ are fine)"};
  if (command.gomp_chosen)
    return Error{"-fopenmp=libgomp: Heddle follows OpenMP through LLVM's libomp; use plain -fopenmp"};
  if (command.openmp && !find_libomp(command.library_directories))
    return Error{
        "cannot find libomp.so, LLVM's OpenMP runtime, on which programs run under Heddle; "
        "apt install libomp-19-dev"};
  const auto runtime = options.shared_runtime ? layout.shared_object() : layout.archive();
  std::error_code ignored;
  if (!command.shared && !std::filesystem::exists(runtime, ignored))
    return Error{"Heddle's runtime is missing: '" + runtime.string() + "'; build or install Heddle again"};
  return std::nullopt;
}

}  // namespace

Result<Words> instrumented(Family family, const Words& arguments, const launch::Layout& layout,
                           const WrapperOptions& options) {
  const CompilerCommand command = analyse(arguments);
  if (command.query) return arguments;
  if (const auto error = refusal(command, layout, options)) return *error;

  const bool links_runtime =
      command.links && !command.no_default_libraries && (!command.shared || options.shared_runtime);
  const bool hooks_undefined = command.links && command.shared && !options.shared_runtime;
  const std::string library = layout.library.string();
  const bool of_tbb = std::any_of(arguments.begin(), arguments.end(), [](const std::string& argument) {
    constexpr std::array kSuffixes = {".cpp", ".cc", ".cxx", ".c++", ".C", ".cp", ".CPP"};
    return std::any_of(kSuffixes.begin(), kSuffixes.end(),
                       [&](const char* suffix) { return argument.ends_with(suffix); }) &&
           mentions_tbb(argument);
  });
  Words words;

  if (family == Family::Gcc) {
    if (command.compiles || command.links)
      append(words, {"-fsanitize=thread", "-B" + layout.gcc_parts(options.shared_runtime).string()});
    if (!options.shared_runtime) words.push_back("-static-libtsan");
    if (command.compiles) append(words, compile_words(family, command, layout, of_tbb));
    if (const auto plugin = layout.plugin("gcc", options.version);
        command.compiles && std::filesystem::exists(plugin))
      // A loop without hooks could become a call of memset, which would report the writes again.
      append(words, {"-fplugin=" + plugin.string(), "-fno-tree-loop-distribute-patterns"});
  } else if (command.compiles) {
    // Not every input uses every option (assembler sources, preprocessed ones), and -Werror would turn that
    // into an error.
    words.push_back("--start-no-unused-arguments");
    append(words, compile_words(family, command, layout, of_tbb));
    if (const auto plugin = layout.plugin("clang", options.version); std::filesystem::exists(plugin))
      words.push_back("-fpass-plugin=" + plugin.string());
    words.push_back("--end-no-unused-arguments");
  }

  append(words, adjusted(family, arguments, command, hooks_undefined));

  // Last, so that it never hides a library from the user's own -L.
  if (family == Family::Gcc && command.links && command.openmp)
    if (const auto directory = find_libomp(command.library_directories)) words.push_back("-L" + *directory);
  if (links_runtime) {
    if (options.shared_runtime) {
      words.push_back("-Wl,-rpath," + library);
    } else {
      append(words, export_words(command));
    }
    if (family == Family::Clang) {
      if (options.shared_runtime)
        append(words, {"-L" + library, "-Wl,--no-as-needed", "-lheddle", "-Wl,--as-needed"});
      else
        // A user's -x would make the archive a source file.
        append(words,
               {"-x", "none", "-Wl,--whole-archive", layout.archive().string(), "-Wl,--no-whole-archive"});
      append(words, {"-ldl", "-lpthread", "-lm", "-lrt"});
    }
  }
  return words;
}

}  // namespace heddle::wrapper
