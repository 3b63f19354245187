#include "report/code_sites.hpp"

#include <dwarf.h>

#include <algorithm>
#include <charconv>
#include <map>

#include "report/names.hpp"
#include "report/object_file.hpp"
#include "support/files.hpp"

namespace heddle::report {
namespace {

constexpr std::string_view kBetween = " | ";
// In the order of CodeSite::Op.
constexpr const char* kOps[] = {"read", "write", "acquire", "any"};

std::string base_name(std::string_view path) { return std::string(path.substr(path.rfind('/') + 1)); }

std::string trimmed(std::string_view text) {
  const auto first = text.find_first_not_of(" \t\r");
  if (first == text.npos) return "";
  return std::string(text.substr(first, text.find_last_not_of(" \t\r") - first + 1));
}

bool is_digit(char c) { return c >= '0' && c <= '9'; }

// `main._omp_fn.3` -> `main`, `main::{lambda()#2}` -> `main::{lambda()#}`: how many there are before it is another
// matter.
std::string without_numbers(std::string name) {
  for (const char* mark :
       {"._omp_fn", ".omp_outlined", ".part.", ".constprop.", ".isra.", ".cold", " [clone"})
    if (const auto at = name.find(mark); at != name.npos && at > 0) name.erase(at);
  std::string result;
  for (std::size_t i = 0; i < name.size(); ++i) {
    result += name[i];
    if (name[i] == '#')
      while (i + 1 < name.size() && is_digit(name[i + 1])) ++i;
  }
  return result;
}

// `:42`
int line_number(std::string_view text) {
  int line = 0;
  if (text.size() < 2 || text[0] != ':') return 0;
  const auto [end, error] = std::from_chars(text.data() + 1, text.data() + text.size(), line);
  return error == std::errc() && end == text.data() + text.size() ? line : 0;
}

const std::vector<std::string>& lines_of_file(const std::string& path) {
  static std::map<std::string, std::vector<std::string>> files;
  auto [it, fresh] = files.try_emplace(path);
  if (fresh) {
    if (const auto text = read_file(path))
      for (const std::string_view line : lines_of(*text)) it->second.push_back(trimmed(std::string(line)));
  }
  return it->second;
}

std::string function_of(Dwarf_Die die) {
  Dwarf_Attribute attribute;
  std::string name;
  for (const unsigned kind : {DW_AT_linkage_name, DW_AT_MIPS_linkage_name, DW_AT_name})
    if (name.empty() && dwarf_attr_integrate(&die, kind, &attribute))
      if (const char* text = dwarf_formstring(&attribute)) name = text;
  return without_numbers(without_parameters(demangle(name)));
}

// Debug information does not always name the namespace.
bool is_same(const std::string& a, const std::string& b) {
  return a == b || a.ends_with("::" + b) || b.ends_with("::" + a);
}

// All code of one executable that comes from a file of that name.
class CodeFinder {
 public:
  CodeFinder(ObjectFile& file, const CodeSite& site) : file_(file), site_(site) {}

  // For each line of the function that has the text, its code.
  std::vector<std::vector<CodeRange>> find() {
    for (Dwarf_Die unit : file_.units()) {
      rows_of(unit);
      inlined_in(unit, unit);
    }
    std::vector<std::vector<CodeRange>> found;
    const int only = line_number(site_.text);
    for (auto& [line, ranges] : by_line_)
      if (only ? line == only : is_text(line) && is_in_function(ranges)) found.push_back(ranges);
    return found;
  }

 private:
  bool is_meant(const char* path) {
    if (!path || base_name(path) != site_.file) return false;
    path_ = path;
    return true;
  }
  bool is_text(int line) const {
    const auto& lines = lines_of_file(path_);
    return line > 0 && static_cast<std::size_t>(line) <= lines.size() && lines[line - 1] == site_.text;
  }
  // Of ranges that are not in the function, nothing is left.
  bool is_in_function(std::vector<CodeRange>& ranges) {
    if (site_.function.empty()) return true;
    std::erase_if(ranges, [&](const CodeRange& range) {
      const auto unit = file_.unit_at(range.begin);
      if (!unit) return true;
      const auto chain = file_.functions_at(*unit, range.begin);
      return std::none_of(chain.begin(), chain.end(),
                          [&](Dwarf_Die die) { return is_same(function_of(die), site_.function); });
    });
    return !ranges.empty();
  }

  void rows_of(Dwarf_Die unit) {
    Dwarf_Lines* lines;
    std::size_t count;
    if (dwarf_getsrclines(&unit, &lines, &count) != 0) return;
    for (std::size_t i = 0; i + 1 < count; ++i) {
      Dwarf_Line* row = dwarf_onesrcline(lines, i);
      bool ends = false;
      dwarf_lineendsequence(row, &ends);
      int line = 0;
      Dwarf_Addr begin = 0, end = 0;
      if (ends || dwarf_lineno(row, &line) != 0 || dwarf_lineaddr(row, &begin) != 0 ||
          dwarf_lineaddr(dwarf_onesrcline(lines, i + 1), &end) != 0 || begin == end)
        continue;
      if (is_meant(dwarf_linesrc(row, nullptr, nullptr))) add(line, begin, end);
    }
  }

  // A call that was inlined is code of the line that calls.
  void inlined_in(Dwarf_Die unit, Dwarf_Die parent) {
    Dwarf_Die child;
    if (dwarf_child(&parent, &child) != 0) return;
    do {
      if (dwarf_tag(&child) == DW_TAG_inlined_subroutine)
        if (const auto from = file_.call_site(unit, child); from && is_meant(from->path.c_str())) {
          Dwarf_Addr base, begin, end;
          for (std::ptrdiff_t at = 0; (at = dwarf_ranges(&child, at, &base, &begin, &end)) > 0;)
            add(from->line, begin, end);
        }
      inlined_in(unit, child);
    } while (dwarf_siblingof(&child, &child) == 0);
  }

  void add(int line, Dwarf_Addr begin, Dwarf_Addr end) {
    by_line_[line].push_back({begin + file_.dwarf_bias(), end + file_.dwarf_bias()});
  }

  ObjectFile& file_;
  const CodeSite& site_;
  std::string path_;
  std::map<int, std::vector<CodeRange>> by_line_;
};

}  // namespace

std::string to_text(const CodeSite& site) {
  const char* op = kOps[static_cast<int>(site.op)];
  std::string text = op;
  for (const std::string& part : {site.file, site.function, std::to_string(site.ordinal), site.text})
    text += std::string(kBetween) + part;
  return text;
}

Result<CodeSite> parse_code_site(std::string_view text) {
  std::string_view parts[4];
  for (std::string_view& part : parts) {
    const auto at = text.find(kBetween);
    if (at == text.npos) return Error{"a site is `read | FILE | FUNCTION | NUMBER | TEXT OF THE LINE`"};
    part = text.substr(0, at);
    text.remove_prefix(at + kBetween.size());
  }
  CodeSite site;
  const auto op = std::find(std::begin(kOps), std::end(kOps), parts[0]);
  if (op == std::end(kOps))
    return Error{"'" + std::string(parts[0]) + "' is not read, write, acquire or any"};
  site.op = static_cast<CodeSite::Op>(op - std::begin(kOps));
  site.file = parts[1];
  site.function = parts[2];
  const auto [end, error] = std::from_chars(parts[3].data(), parts[3].data() + parts[3].size(), site.ordinal);
  if (error != std::errc() || end != parts[3].data() + parts[3].size() || site.ordinal < 1)
    return Error{"'" + std::string(parts[3]) + "' does not say which of the lines"};
  site.text = text;
  return site;
}

namespace {

Result<CodeSite> name_place(const std::string& executable, const Stack& stack, CodeSite::Op op) {
  const auto& frames = stack.frames;
  if (frames.empty()) return Error{"nothing is known of the place"};
  std::size_t at = 0;
  while (at < stack.user && at < frames.size() && frames[at].inlined) ++at;
  const Frame& frame = frames[std::min(at, frames.size() - 1)];
  if (frame.line <= 0 || frame.path.empty()) return Error{"there is no debug information (-g) for the place"};
  const auto& lines = lines_of_file(frame.path);
  CodeSite site;
  site.op = op;
  site.file = base_name(frame.path);
  site.function = without_numbers(without_parameters(demangle(frame.linkage_name)));
  site.text = static_cast<std::size_t>(frame.line) <= lines.size() ? lines[frame.line - 1]
                                                                   : ":" + std::to_string(frame.line);
  const auto file = ObjectFile::open(executable, true);
  if (!file) return Error{"'" + executable + "' cannot be read"};
  const auto found = CodeFinder(*file, site).find();
  const auto own = std::find_if(found.begin(), found.end(), [&](const std::vector<CodeRange>& ranges) {
    return std::any_of(ranges.begin(), ranges.end(), [&](const CodeRange& range) {
      return range.begin <= frames.front().offset && frames.front().offset < range.end;
    });
  });
  if (own == found.end()) return Error{"the place is not in the program itself"};
  site.ordinal = static_cast<int>(own - found.begin()) + 1;
  return site;
}

}  // namespace

Result<CodeSite> name_site(const std::string& executable, const Access& access) {
  return name_place(executable, access.stack,
                    access.op == "read" ? CodeSite::Op::kRead : CodeSite::Op::kWrite);
}
Result<CodeSite> name_site(const std::string& executable, const Acquisition& acquisition) {
  return name_place(executable, acquisition.stack, CodeSite::Op::kAcquire);
}

Result<CodeSite> site_of_line(std::string_view text) {
  const auto colon = text.rfind(':');
  if (colon == text.npos || colon == 0 || line_number(text.substr(colon)) <= 0)
    return Error{"'" + std::string(text) + "' is no place: FILE:LINE is one"};
  CodeSite site;
  site.file = base_name(text.substr(0, colon));
  site.text = text.substr(colon);
  return site;
}

Result<std::vector<CodeRange>> find_code(const std::string& executable, const CodeSite& site) {
  const auto file = ObjectFile::open(executable, true);
  if (!file) return Error{"'" + executable + "' cannot be read"};
  const auto found = CodeFinder(*file, site).find();
  if (static_cast<std::size_t>(site.ordinal) <= found.size()) return found[site.ordinal - 1];
  if (line_number(site.text)) return Error{"there is no code at " + site.file + site.text};
  return Error{"there is no line `" + site.text + "` in " + site.function + " (" + site.file + ") any more"};
}

}  // namespace heddle::report
