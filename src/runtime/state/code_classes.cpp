#include "runtime/state/code_classes.hpp"

#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>

#include <atomic>
#include <cstring>

#include "base/spin_lock.hpp"
#include "base/system_call.hpp"

namespace heddle::code {

bool g_any = false;
__thread uptr t_gives __attribute__((tls_model("initial-exec"))) = 0;
void (*on_change)(uptr) = nullptr;
std::atomic<u64> g_answers[kAnswers];
Library g_library{nullptr, nullptr};

namespace {

struct Table {
  uptr begin, end;  // the module's code
  uptr base;        // what the loader has added to its addresses
  const CodeStretch* stretches;
  usize count;  // 0: it has no table
};
constexpr u32 kMostModules = 1024;  // the rest are the program's
struct Tables {
  u32 count = 0;
  Table at[kMostModules];
};
std::atomic<Tables*> g_tables{nullptr};
SpinLock g_lock;

static_assert(static_cast<u8>(CodeClass::kLast) < 32);

struct File {
  const u8* bytes = nullptr;
  usize size = 0;
};

File map_file(const char* path) {
  const long fd = system_call(SYS_openat, AT_FDCWD, reinterpret_cast<long>(path), O_RDONLY | O_CLOEXEC);
  if (fd < 0) return {};
  struct stat status;
  File file;
  if (system_call(SYS_fstat, fd, reinterpret_cast<long>(&status)) == 0 && status.st_size > 0) {
    const usize size = static_cast<usize>(status.st_size);
    const long at = system_call(SYS_mmap, 0, static_cast<long>(size), PROT_READ, MAP_PRIVATE, fd, 0);
    if (at > 0 || at < -4095) file = {reinterpret_cast<const u8*>(at), size};
  }
  system_call(SYS_close, fd);
  return file;
}

// The table in a file that stays mapped if it has one.
bool find_table(const File& file, Table& table) {
  auto* elf = reinterpret_cast<const Elf64_Ehdr*>(file.bytes);
  if (file.size < sizeof *elf || __builtin_memcmp(elf->e_ident, ELFMAG, SELFMAG) != 0) return false;
  if (elf->e_shoff + u64{elf->e_shnum} * sizeof(Elf64_Shdr) > file.size || elf->e_shstrndx >= elf->e_shnum)
    return false;
  auto* sections = reinterpret_cast<const Elf64_Shdr*>(file.bytes + elf->e_shoff);
  const Elf64_Shdr& names = sections[elf->e_shstrndx];
  const usize length = __builtin_strlen(CodeTableHeader::kSection) + 1;
  for (u32 i = 0; i < elf->e_shnum; ++i) {
    const Elf64_Shdr& section = sections[i];
    const usize name = names.sh_offset + section.sh_name;
    if (name + length > file.size || section.sh_offset + section.sh_size > file.size ||
        section.sh_size < sizeof(CodeTableHeader) ||
        __builtin_memcmp(file.bytes + name, CodeTableHeader::kSection, length) != 0)
      continue;
    auto* header = reinterpret_cast<const CodeTableHeader*>(file.bytes + section.sh_offset);
    if (header->magic != CodeTableHeader::kMagic ||
        header->count > (section.sh_size - sizeof *header) / sizeof(CodeStretch))
      continue;
    table.stretches = reinterpret_cast<const CodeStretch*>(header + 1);
    table.count = header->count;
    return true;
  }
  return false;
}

int add_module(dl_phdr_info* info, size_t, void* data) {
  auto* tables = static_cast<Tables*>(data);
  if (tables->count == kMostModules) return 1;
  Table table{~uptr{0}, 0, info->dlpi_addr, nullptr, 0};
  for (int i = 0; i < info->dlpi_phnum; ++i) {
    const auto& header = info->dlpi_phdr[i];
    if (header.p_type != PT_LOAD || !(header.p_flags & PF_X)) continue;
    const uptr from = info->dlpi_addr + header.p_vaddr;
    if (from < table.begin) table.begin = from;
    if (from + header.p_memsz > table.end) table.end = from + header.p_memsz;
  }
  if (table.begin >= table.end) return 0;
  const File file = map_file(info->dlpi_name[0] ? info->dlpi_name : "/proc/self/exe");
  if (file.bytes && !find_table(file, table))
    system_call(SYS_munmap, reinterpret_cast<long>(file.bytes), static_cast<long>(file.size));
  tables->at[tables->count++] = table;
  return 0;
}

const Table* find(uptr pc) {
  const Tables* tables = g_tables.load(std::memory_order_acquire);
  for (u32 i = 0; tables && i < tables->count; ++i)
    if (pc >= tables->at[i].begin && pc < tables->at[i].end) return &tables->at[i];
  return nullptr;
}

CodeClasses look_up(uptr pc) {
  const Table* table = find(pc);
  if (!table) {
    load();
    table = find(pc);
  }
  if (!table || !table->count) return {};
  const u32 at = static_cast<u32>(pc - 1 - table->base);  // in the call, not behind it
  usize low = 0, high = table->count;
  while (high - low > 1) {
    const usize middle = (low + high) / 2;
    (table->stretches[middle].begin <= at ? low : high) = middle;
  }
  return table->stretches[low].classes;
}

CodeClasses classes_at(uptr pc) {
  std::atomic<u64>& slot = answer_for(pc);
  const u64 known = slot.load(std::memory_order_relaxed);
  if (HEDDLE_LIKELY(known >> 10 == pc))
    return {static_cast<CodeClass>(known >> 5 & 31), static_cast<CodeClass>(known & 31)};
  const CodeClasses found = look_up(pc);
  slot.store(pc << 10 | u64{static_cast<u8>(found.here)} << 5 | static_cast<u8>(found.caller),
             std::memory_order_relaxed);
  return found;
}

// What a function that is not decided about is, where the task was begun by nobody's code, is the program's. Frames
// remember the answer: the standard library asks for every access.
CodeClass climb(const ThreadState& thread, uptr pc, CodeClass CodeClasses::*of) {
  CodeClass found = classes_at(pc).*of;
  if (found != CodeClass::kNeutral) return found;
  Frame* const base = first_frame(thread);
  Frame* frame = thread.top;
  while (found == CodeClass::kNeutral && frame > base) {
    --frame;
    found = frame->called_by.*of;
    if (found == CodeClass::kNeutral) found = classes_at(frame->pc).*of;
  }
  if (found == CodeClass::kNeutral) found = CodeClass::kProgram;
  for (; frame < thread.top; ++frame) frame->called_by.*of = found;
  return found;
}

}  // namespace

void load() {
  SpinGuard guard(g_lock);
  // An old list is left alone: another thread may be reading it.
  auto* tables = memory::make<Tables>();
  dl_iterate_phdr(add_module, tables);
  for (u32 i = 0; i < tables->count; ++i) g_any |= tables->at[i].count != 0;
  g_tables.store(tables, std::memory_order_release);
}

CodeClass here(const ThreadState& thread, uptr pc) { return climb(thread, pc, &CodeClasses::here); }
bool on_behalf_of(const ThreadState& thread, uptr pc, CodeClass wanted) {
  CodeClasses found = classes_at(pc);
  const Frame* base = first_frame(thread);
  for (const Frame* frame = thread.top; frame > base; --frame) {
    if (found.caller == wanted || found.here == CodeClass::kProgram) break;
    found = classes_at(frame[-1].pc);
  }
  return found.caller == wanted;
}
CodeClass caller(const ThreadState& thread, uptr pc) { return climb(thread, pc, &CodeClasses::caller); }

}  // namespace heddle::code
