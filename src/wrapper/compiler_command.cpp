#include "wrapper/compiler_command.hpp"

#include <algorithm>
#include <array>
#include <string_view>

namespace heddle::wrapper {
namespace {

using namespace std::string_view_literals;

template <std::size_t N>
bool one_of(std::string_view text, const std::array<std::string_view, N>& words) {
  return std::find(words.begin(), words.end(), text) != words.end();
}

constexpr std::array kSeparate = {"-o"sv,
                                  "-I"sv,
                                  "-D"sv,
                                  "-U"sv,
                                  "-L"sv,
                                  "-l"sv,
                                  "-x"sv,
                                  "-include"sv,
                                  "-imacros"sv,
                                  "-isystem"sv,
                                  "-iquote"sv,
                                  "-idirafter"sv,
                                  "-iprefix"sv,
                                  "-iwithprefix"sv,
                                  "-isysroot"sv,
                                  "-imultilib"sv,
                                  "-MF"sv,
                                  "-MT"sv,
                                  "-MQ"sv,
                                  "-T"sv,
                                  "-u"sv,
                                  "-z"sv,
                                  "-e"sv,
                                  "-Xlinker"sv,
                                  "-Xassembler"sv,
                                  "-Xclang"sv,
                                  "-Xpreprocessor"sv,
                                  "-mllvm"sv,
                                  "-target"sv,
                                  "-arch"sv,
                                  "-B"sv,
                                  "-A"sv,
                                  "-aux-info"sv,
                                  "-dumpbase"sv,
                                  "-dumpdir"sv,
                                  "-dumpbase-ext"sv,
                                  "-wrapper"sv,
                                  "--param"sv,
                                  "-F"sv,
                                  "-J"sv,
                                  "--sysroot"sv,
                                  "-gcc-toolchain"sv,
                                  "-include-pch"sv,
                                  "-working-directory"sv,
                                  "-iwithprefixbefore"sv,
                                  "-rpath"sv,
                                  "--serialize-diagnostics"sv,
                                  "-serialize-diagnostics"sv,
                                  "-h"sv,
                                  "-soname"sv,
                                  "-G"sv,
                                  "-framework"sv};

constexpr std::array kNoLink = {
    "-c"sv,           "-S"sv,        "-E"sv,       "-M"sv, "-MM"sv, "-r"sv, "-fsyntax-only"sv,
    "--precompile"sv, "--analyze"sv, "-emit-ast"sv};

constexpr std::array kQueries = {"--version"sv,     "-dumpversion"sv, "-dumpfullversion"sv,
                                 "-dumpmachine"sv,  "-dumpspecs"sv,   "--help"sv,
                                 "--target-help"sv, "-V"sv,           "--print-supported-cpus"sv};

// Instruments memory in its own way, or has its own runtime with interceptors.
constexpr std::array kIncompatible = {
    "address"sv,          "hwaddress"sv,     "memory"sv,    "leak"sv,       "kernel-address"sv,
    "kernel-hwaddress"sv, "kernel-memory"sv, "dataflow"sv,  "safe-stack"sv, "pointer-compare"sv,
    "pointer-subtract"sv, "realtime"sv,      "numerical"sv, "fuzzer"sv,     "scudo"sv};

bool is_query(std::string_view arg) {
  return one_of(arg, kQueries) || arg.starts_with("-print-") || arg.starts_with("--print-") ||
         arg.starts_with("--help=");
}

bool is_link_input(std::string_view path) {
  const std::string_view name = path.substr(path.rfind('/') + 1);
  const auto ends = [&](std::string_view suffix) { return name.ends_with(suffix); };
  return ends(".o") || ends(".a") || ends(".so") || ends(".lo") || ends(".obj") || ends(".ld") ||
         ends(".lds") || name.find(".so.") != std::string_view::npos;
}

bool is_assembler(std::string_view path) { return path.ends_with(".s") || path.ends_with(".S"); }

std::vector<std::string> sanitizers(std::string_view list) {
  std::vector<std::string> names;
  while (!list.empty()) {
    const std::size_t comma = list.find(',');
    names.emplace_back(list.substr(0, comma));
    list.remove_prefix(comma == std::string_view::npos ? list.size() : comma + 1);
  }
  return names;
}

}  // namespace

bool takes_separate_value(const std::string& option) { return one_of(option, kSeparate); }

CompilerCommand analyse(const std::vector<std::string>& arguments) {
  CompilerCommand command;
  command.links = true;
  bool has_input = false;
  std::string language;  // of -x
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const std::string& arg = arguments[i];
    if (takes_separate_value(arg)) {
      const std::string value = i + 1 < arguments.size() ? arguments[++i] : "";
      if (arg == "-x") language = value == "none" ? "" : value;
      if (arg == "-L") command.library_directories.push_back(value);
      if (arg == "-o") command.output = value;
      if (arg == "-l") has_input = true;
      continue;
    }
    if (arg == "-" || arg.empty() || arg[0] != '-') {
      has_input = true;
      const bool assembler = language.starts_with("assembler") || (language.empty() && is_assembler(arg));
      if (!assembler && (!language.empty() || !is_link_input(arg))) command.compiles = true;
      continue;
    }
    if (is_query(arg)) command.query = true;
    if (one_of(arg, kNoLink)) command.links = false;
    if (arg.starts_with("-x")) language = arg == "-xnone" ? "" : arg.substr(2);
    if (arg.starts_with("-o")) command.output = arg.substr(2);
    if (arg.starts_with("-L")) command.library_directories.push_back(arg.substr(2));
    if (arg.starts_with("-l")) has_input = true;
    if (arg == "-shared" || arg == "--shared") command.shared = true;
    if (arg == "-static" || arg == "--static" || arg == "-static-pie") command.fully_static = true;
    if (arg == "-nostdlib" || arg == "-nodefaultlibs") command.no_default_libraries = true;
    if (arg == "-fopenmp" || arg.starts_with("-fopenmp=")) command.openmp = true;
    if (arg == "-fno-openmp") command.openmp = false;
    if (arg == "-fopenmp=libgomp") command.gomp_chosen = true;
    if (arg.starts_with("-g") && !arg.starts_with("-gcc") && !arg.starts_with("-gno-"))
      command.debug_info = true;
    if (arg == "-fomit-frame-pointer" || arg == "-fno-omit-frame-pointer")
      command.frame_pointer_chosen = true;
    if (arg.starts_with("-fuse-ld=")) command.linker = arg.substr(9);
    if (arg.starts_with("-fno-sanitize="))
      for (const std::string& name : sanitizers(std::string_view(arg).substr(14)))
        if (name == "thread" || name == "all") command.thread_sanitizer_off = true;
    if (arg.starts_with("-fsanitize="))
      for (const std::string& name : sanitizers(std::string_view(arg).substr(11))) {
        if (one_of(name, kIncompatible)) command.incompatible_sanitizers.push_back(name);
        if (name == "thread") command.thread_sanitizer_off = false;
      }
  }
  if (!has_input) command.query = true;
  return command;
}

}  // namespace heddle::wrapper
