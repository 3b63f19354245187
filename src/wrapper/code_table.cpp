#include "wrapper/code_table.hpp"
#include "output/last_words.hpp"

#include <dwarf.h>
#include <elf.h>
#include <elfutils/libdw.h>
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <map>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

namespace heddle::wrapper {
namespace {

using namespace std::string_view_literals;

bool is_any(std::string_view text, std::initializer_list<std::string_view> names) {
  return std::find(names.begin(), names.end(), text) != names.end();
}

bool contains(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

CodeClass class_of_tbb_function(std::string_view header, std::string_view name) {
  // They access the user's data.
  if (header == "parallel_sort.h") return CodeClass::kProgram;
  if (header == "_task.h") {
    if (name == "add_reference") return CodeClass::kWait;
    if (name == "reserve") return CodeClass::kReserve;
    if (is_any(name, {"spawn", "wait", "execute_and_wait"})) return CodeClass::kNotice;
    return is_any(name, {"release", "suspend_callback", "is_stolen", "execution_slot"})
               ? CodeClass::kNeutral
               : CodeClass::kScheduler;
  }
  if (is_any(header, {"blocked_range.h", "blocked_range2d.h", "blocked_range3d.h", "blocked_rangeNd.h",
                      "_range_common.h", "_utils.h", "_machine.h", "_template_helpers.h", "_aligned_space.h",
                      "_assert.h", "_allocator_traits.h", "cache_aligned_allocator.h", "tbb_allocator.h",
                      "scalable_allocator.h", "_hash_compare.h", "profiling.h", "tick_count.h"}))
    return CodeClass::kNeutral;
  if (is_any(header, {"spin_mutex.h", "spin_rw_mutex.h", "queuing_mutex.h", "queuing_rw_mutex.h", "mutex.h",
                      "rw_mutex.h", "null_mutex.h", "null_rw_mutex.h", "_rtm_mutex.h", "_rtm_rw_mutex.h",
                      "_scoped_lock.h", "_mutex_common.h", "_waitable_atomic.h"})) {
    if (name == "upgrade") return CodeClass::kUpgrade;
    if (name == "downgrade") return CodeClass::kDowngrade;
    if (header == "_scoped_lock.h") return CodeClass::kScopedLock;
    const bool reads = contains(name, "lock_shared");
    if (name.starts_with("try_")) return reads ? CodeClass::kTryReadLock : CodeClass::kTryLock;
    return reads ? CodeClass::kReadLock : CodeClass::kMutex;
  }
  // For these, the caller matters.
  if (header == "task_arena.h" && is_any(name, {"current_thread_index", "max_concurrency"}))
    return CodeClass::kNeutral;
  if (header == "parallel_reduce.h" && name == "execute") return CodeClass::kBodyChoice;
  if (is_any(header, {"partitioner.h", "parallel_for.h", "parallel_reduce.h"})) return CodeClass::kTree;
  if (header == "_small_object_pool.h") return CodeClass::kNotice;
  if (is_any(header, {"task_group.h", "task_arena.h", "parallel_invoke.h", "parallel_for_each.h",
                      "_task_handle.h", "global_control.h", "info.h", "task_scheduler_observer.h",
                      "parallel_pipeline.h", "_pipeline_filters.h", "task.h", "_exception.h"}))
    return CodeClass::kScheduler;
  // The successors of a node: a message is ordered by the task that is created for it, not by this list's mutex.
  if (header == "_flow_graph_cache_impl.h") return CodeClass::kScheduler;
  if (contains(name, "17continue_receiver12try_put_task")) return CodeClass::kPut;
  if (is_any(header, {"enumerable_thread_specific.h", "combinable.h"})) return CodeClass::kPerThread;
  return CodeClass::kContainer;
}

bool is_tbb_header(std::string_view file) { return contains(file, "/oneapi/tbb/"); }

}  // namespace

CodeClass class_of_function(std::string_view file, std::string_view name) {
  if (file.empty()) return CodeClass::kNeutral;  // what the compiler adds
  const std::string_view header = file.substr(file.rfind('/') + 1);
  if (is_tbb_header(file)) return class_of_tbb_function(header, name);
  // The algorithms of std::execution::par: some access the user's data, one creates the tasks.
  if (contains(file, "/pstl/"))
    return header == "parallel_backend_tbb.h" ? CodeClass::kContainer : CodeClass::kProgram;
  const bool standard = contains(file, "/include/c++/") || contains(file, "/lib/gcc/") ||
                        contains(file, "/lib/clang/") || file.starts_with("/usr/include/") ||
                        contains(file, "/c++/v1/");
  return standard ? CodeClass::kNeutral : CodeClass::kProgram;
}

namespace {

// --- from debug information to stretches ----------------------------------------------------------------------

CodeClasses inside(const CodeClasses& around, CodeClass own) {
  switch (own) {
    case CodeClass::kNeutral:
      return around;
    case CodeClass::kWait:
    case CodeClass::kMutex:
    case CodeClass::kReadLock:
    case CodeClass::kTryLock:
    case CodeClass::kTryReadLock:
    case CodeClass::kScopedLock:
    case CodeClass::kUpgrade:
    case CodeClass::kDowngrade:
      return {own, around.caller};
    case CodeClass::kContainer:
      return {own, around.caller == CodeClass::kPerThread ? CodeClass::kPerThread : own};
    case CodeClass::kBodyChoice:
      return {own, CodeClass::kTree};
    default:
      return {own, own};
  }
}

class Painter {
 public:
  explicit Painter(Dwarf* dwarf) : dwarf_(dwarf) {}

  std::vector<CodeStretch> paint() {
    Dwarf_CU* unit = nullptr;
    Dwarf_Die die;
    while (dwarf_get_units(dwarf_, unit, &unit, nullptr, nullptr, &die, nullptr) == 0) {
      Dwarf_Files* files = nullptr;
      size_t count = 0;
      if (dwarf_getsrcfiles(&die, &files, &count) != 0) continue;
      files_.clear();
      bool tbb = false;
      for (size_t i = 0; i < count; ++i)
        if (const char* path = dwarf_filesrc(files, i, nullptr, nullptr)) tbb |= is_tbb_header(path);
      if (tbb) walk(die, {CodeClass::kNeutral, CodeClass::kNeutral});
    }
    return flatten();
  }

 private:
  struct Range {
    Dwarf_Addr begin, end;
    CodeClasses classes;
  };

  // GCC does not say where the call operator of a lambda expression is declared: it is in the enclosing file.
  const char* file_of(Dwarf_Die& function) {
    if (const char* file = dwarf_decl_file(&function)) return file;
    Dwarf_Die origin = function;
    Dwarf_Attribute attribute;
    Dwarf_Die* declared = &function;
    if (dwarf_attr_integrate(&function, DW_AT_abstract_origin, &attribute))
      declared = dwarf_formref_die(&attribute, &origin);
    if (!declared) return nullptr;
    const auto [known, fresh] = undeclared_.try_emplace(declared->addr, nullptr);
    if (!fresh) return known->second;
    Dwarf_Die* scopes = nullptr;
    const int count = dwarf_getscopes_die(declared, &scopes);
    const char* file = nullptr;
    for (int i = 1; i < count && !file; ++i) file = dwarf_decl_file(&scopes[i]);
    if (!file && count > 0) file = dwarf_diename(&scopes[count - 1]);  // the unit is named after its source
    std::free(scopes);
    return known->second = file;
  }

  CodeClass class_of(Dwarf_Die& function) {
    const char* file = file_of(function);
    const char* name = dwarf_diename(&function);
    // Many classes of a flow graph have one of these: the mangled name identifies the class.
    Dwarf_Attribute mangled;
    if (name && name == "try_put_task"sv && dwarf_attr_integrate(&function, DW_AT_linkage_name, &mangled))
      name = dwarf_formstring(&mangled);
    const auto [known, fresh] = files_.try_emplace({file, name}, CodeClass::kNeutral);
    if (fresh) known->second = class_of_function(file ? file : "", name ? name : "");
    return known->second;
  }

  // Pre-order: inlined code overrides the code around it.
  void walk(Dwarf_Die die, const CodeClasses& around) {
    CodeClasses own = around;
    const int tag = dwarf_tag(&die);
    if (tag == DW_TAG_subprogram || tag == DW_TAG_inlined_subroutine) {
      if (tag == DW_TAG_subprogram) own = {CodeClass::kNeutral, CodeClass::kNeutral};
      own = inside(own, class_of(die));
      Dwarf_Addr base, begin, end;
      for (std::ptrdiff_t at = 0; (at = dwarf_ranges(&die, at, &base, &begin, &end)) > 0;)
        if (begin < end && begin != 0) ranges_.push_back({begin, end, own});
    }
    Dwarf_Die child;
    if (dwarf_child(&die, &child) != 0) return;
    do {
      switch (dwarf_tag(&child)) {
        case DW_TAG_subprogram:
        case DW_TAG_inlined_subroutine:
        case DW_TAG_lexical_block:
        case DW_TAG_namespace:
        case DW_TAG_class_type:
        case DW_TAG_structure_type:
        case DW_TAG_union_type:
          walk(child, own);
      }
    } while (dwarf_siblingof(&child, &child) == 0);
  }

  // The last range that covers an address decides.
  std::vector<CodeStretch> flatten() {
    std::map<Dwarf_Addr, CodeClasses> begins{{0, CodeClasses{}}};
    const auto cut = [&](Dwarf_Addr at) {
      const auto next = begins.upper_bound(at);
      return begins.try_emplace(at, std::prev(next)->second).first;
    };
    for (const Range& range : ranges_) {
      const auto last = cut(range.end);
      auto first = cut(range.begin);
      first->second = range.classes;
      begins.erase(std::next(first), last);
    }
    std::vector<CodeStretch> stretches;
    for (const auto& [begin, classes] : begins)
      if (stretches.empty() || !(stretches.back().classes == classes))
        stretches.push_back({static_cast<u32>(begin), classes, 0});
    return stretches;
  }

  Dwarf* dwarf_;
  std::map<std::pair<const char*, const char*>, CodeClass> files_;  // strings of one unit, by address
  std::unordered_map<const void*, const char*> undeclared_;  // functions, by the address of their description
  std::vector<Range> ranges_;
};

std::optional<std::vector<CodeStretch>> stretches_of(const std::filesystem::path& binary) {
  const int fd = open(binary.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0) return std::nullopt;
  std::optional<std::vector<CodeStretch>> stretches;
  if (Dwarf* dwarf = dwarf_begin(fd, DWARF_C_READ)) {
    dwarf_new_oom_handler(dwarf, output::end_out_of_memory);  // its own exits with 1
    stretches = Painter(dwarf).paint();
    dwarf_end(dwarf);
  }
  close(fd);
  return stretches;
}

// --- into the binary ------------------------------------------------------------------------------------------

// Appends a section that is not loaded to the end of the file: its bytes, the section names plus one, and the headers
// plus one. Everything else keeps its place.
std::optional<std::string> append_section(const std::filesystem::path& binary, const std::string& content) {
  std::fstream file(binary, std::ios::in | std::ios::out | std::ios::binary);
  Elf64_Ehdr elf{};
  file.read(reinterpret_cast<char*>(&elf), sizeof elf);
  if (!file || std::memcmp(elf.e_ident, ELFMAG, SELFMAG) != 0 || elf.e_shentsize != sizeof(Elf64_Shdr) ||
      elf.e_shnum == 0 || elf.e_shstrndx >= elf.e_shnum)
    return "is no binary with section headers";
  std::vector<Elf64_Shdr> sections(elf.e_shnum);
  file.seekg(static_cast<std::streamoff>(elf.e_shoff));
  file.read(reinterpret_cast<char*>(sections.data()),
            static_cast<std::streamsize>(sections.size() * sizeof sections[0]));
  Elf64_Shdr& names_section = sections[elf.e_shstrndx];
  std::string names(names_section.sh_size, '\0');
  file.seekg(static_cast<std::streamoff>(names_section.sh_offset));
  file.read(names.data(), static_cast<std::streamsize>(names.size()));
  if (!file) return "cannot be read";

  file.seekp(0, std::ios::end);
  const auto append = [&](const char* bytes, std::size_t size) {
    while (file.tellp() % 16) file.put('\0');
    const auto at = static_cast<Elf64_Off>(file.tellp());
    file.write(bytes, static_cast<std::streamsize>(size));
    return at;
  };
  Elf64_Shdr table{};
  table.sh_name = static_cast<Elf64_Word>(names.size());
  table.sh_type = SHT_PROGBITS;
  table.sh_size = content.size();
  table.sh_addralign = 16;
  table.sh_offset = append(content.data(), content.size());
  names.append(CodeTableHeader::kSection).push_back('\0');
  names_section.sh_offset = append(names.data(), names.size());
  names_section.sh_size = names.size();
  sections.push_back(table);
  elf.e_shoff = append(reinterpret_cast<const char*>(sections.data()), sections.size() * sizeof sections[0]);
  elf.e_shnum = static_cast<Elf64_Half>(sections.size());
  file.seekp(0);
  file.write(reinterpret_cast<const char*>(&elf), sizeof elf);
  file.close();
  return file ? std::nullopt : std::optional<std::string>("cannot be written");
}

}  // namespace

Result<bool> add_code_table(const std::filesystem::path& binary) {
  const auto stretches = stretches_of(binary);
  if (!stretches || stretches->size() <= 1) return false;
  const CodeTableHeader header{CodeTableHeader::kMagic, stretches->size()};
  std::string content(reinterpret_cast<const char*>(&header), sizeof header);
  content.append(reinterpret_cast<const char*>(stretches->data()), stretches->size() * sizeof(CodeStretch));
  if (const auto reason = append_section(binary, content))
    return Error{"cannot mark the code of oneTBB in '" + binary.string() + "': it " + *reason};
  return true;
}

}  // namespace heddle::wrapper
