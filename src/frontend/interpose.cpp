// Finds the real functions behind the hooks, and classifies callers by the module of the return address.
//
// A module is instrumented iff its dynamic strings contain a hook's name. The list is rebuilt when an unknown address
// appears, so dlopen (which is not interposed, because its semantics depend on its caller) needs no hook.
#include "frontend/interpose.hpp"

#include <dlfcn.h>
#include <elf.h>
#include <link.h>
#include <unistd.h>

#include "base/check.hpp"
#include "base/text.hpp"
#include "model/libraries.hpp"

extern "C" {
extern heddle::RealFunction __start_heddle_reals[] __attribute__((visibility("hidden")));
extern heddle::RealFunction __stop_heddle_reals[] __attribute__((visibility("hidden")));
}

namespace heddle {

// --- the real functions ------------------------------------------------------------------------------------

void* RealFunction::resolve() {
  void* found = version ? dlvsym(RTLD_NEXT, name, version) : dlsym(RTLD_NEXT, name);
  __atomic_store_n(&address, found, __ATOMIC_RELAXED);
  return found;
}

void resolve_all() {
  for (RealFunction* real = __start_heddle_reals; real != __stop_heddle_reals; ++real)
    if (!real->address) real->resolve();
}

// --- modules -----------------------------------------------------------------------------------------------

TextRange g_executable{0, 0};

namespace {

struct Module {
  uptr begin, end;
  Origin origin;
};
struct ModuleList {
  u32 count;
  Module at[];
};
constexpr u32 kMostModules = 1024;  // the rest are foreign

std::atomic<ModuleList*> g_modules{nullptr};
SpinLock g_modules_lock;
// A page of code that is in no module (generated code): cached to avoid a second search.
std::atomic<uptr> g_no_module{0};

bool contains(const char* text, usize size, const char* part) {
  for (usize i = 0; i < size; ++i)
    if (text[i] == part[0] && starts_with(text + i, part)) return true;
  return false;
}

const char* file_name(const char* path) {
  const char* name = path;
  for (; *path; ++path)
    if (*path == '/') name = path + 1;
  return name;
}

// The loader has relocated the pointers of the dynamic section (except the vdso's, which is found by its name).
bool is_instrumented(const dl_phdr_info& info) {
  for (int i = 0; i < info.dlpi_phnum; ++i) {
    if (info.dlpi_phdr[i].p_type != PT_DYNAMIC) continue;
    const char* strings = nullptr;
    usize size = 0;
    auto* entry = reinterpret_cast<const ElfW(Dyn)*>(info.dlpi_addr + info.dlpi_phdr[i].p_vaddr);
    for (; entry->d_tag != DT_NULL; ++entry) {
      if (entry->d_tag == DT_STRTAB) strings = reinterpret_cast<const char*>(entry->d_un.d_ptr);
      if (entry->d_tag == DT_STRSZ) size = entry->d_un.d_val;
    }
    return strings && contains(strings, size, "__tsan_func_entry");
  }
  return false;
}

Origin classify(const dl_phdr_info& info) {
  const char* name = file_name(info.dlpi_name);
  if (starts_with(name, "libheddle_")) return Origin::kOwnRuntimeSystem;
  for (const char* prefix : model::kLibraries)
    if (starts_with(name, prefix)) return Origin::kRuntimeSystem;
  if (starts_with(name, "libheddle.")) return Origin::kRuntimeSystem;
  for (const char* prefix : {"libc.", "libm.", "libstdc++.", "libc++.", "libc++abi.", "libgcc_s.", "ld-linux",
                             "libpthread.", "librt."})
    if (starts_with(name, prefix)) return Origin::kStandardLibrary;
  if (starts_with(name, "linux-vdso")) return Origin::kForeign;
  return is_instrumented(info) ? Origin::kProgram : Origin::kForeign;
}

int add_module(dl_phdr_info* info, size_t, void* data) {
  auto* list = static_cast<ModuleList*>(data);
  if (list->count == kMostModules) return 1;
  uptr begin = ~uptr{0}, end = 0;
  for (int i = 0; i < info->dlpi_phnum; ++i) {
    const auto& header = info->dlpi_phdr[i];
    if (header.p_type != PT_LOAD || !(header.p_flags & PF_X)) continue;
    uptr from = info->dlpi_addr + header.p_vaddr;
    if (from < begin) begin = from;
    if (from + header.p_memsz > end) end = from + header.p_memsz;
  }
  if (begin >= end) return 0;
  bool executable = info->dlpi_name[0] == 0;
  if (executable) g_executable = {begin, end};
  list->at[list->count++] = {begin, end, executable ? Origin::kProgram : classify(*info)};
  return 0;
}

const Module* find(const ModuleList* list, uptr pc) {
  for (u32 i = 0; list && i < list->count; ++i)
    if (pc >= list->at[i].begin && pc < list->at[i].end) return &list->at[i];
  return nullptr;
}

// Lists are small and replaced only after dlopen; an old one is never freed, as another thread may be reading it.
const Module* rebuild_and_find(uptr pc) {
  SpinGuard guard(g_modules_lock);
  if (const Module* found = find(g_modules.load(std::memory_order_acquire), pc)) return found;
  usize bytes = sizeof(ModuleList) + kMostModules * sizeof(Module);
  auto* list = static_cast<ModuleList*>(memory::allocate(bytes));
  dl_iterate_phdr(add_module, list);
  auto* fitted =
      static_cast<ModuleList*>(memory::allocate(sizeof(ModuleList) + list->count * sizeof(Module)));
  fitted->count = list->count;
  for (u32 i = 0; i < list->count; ++i) fitted->at[i] = list->at[i];
  memory::release(list, bytes);
  g_modules.store(fitted, std::memory_order_release);
  const Module* found = find(fitted, pc);
  if (!found) g_no_module.store(pc >> 12, std::memory_order_relaxed);
  return found;
}

bool follows_a_call(uptr pc) {
  auto* code = reinterpret_cast<const u8*>(pc);
  if (code[-5] == 0xe8) return true;  // call rel32
  // call through a register or memory: ff /2, of two, three, six or seven bytes
  for (int length : {2, 3, 6, 7})
    if (code[-length] == 0xff && (code[-length + 1] & 0x38) == 0x10) return true;
  return false;
}

}  // namespace

HEDDLE_NOINLINE Origin origin_of_other(uptr pc) {
  const Module* found = find(g_modules.load(std::memory_order_acquire), pc);
  if (!found && g_no_module.load(std::memory_order_relaxed) != pc >> 12) found = rebuild_and_find(pc);
  return found ? found->origin : Origin::kProgram;
}

uptr program_pc(const ThreadState& thread, uptr pc, void* frame) {
  if (origin_of(pc) == Origin::kProgram) return pc;
  // The library's frames end where the innermost instrumented frame begins. The library may run on another stack (a
  // fibre), hence the second bound; deeper libraries are shown without the program's line.
  constexpr usize kWords = 512;
  auto* word = static_cast<const uptr*>(frame);
  if (address_of(word) < thread.stack_low || address_of(word) >= thread.stack_high) return pc;
  auto* end = reinterpret_cast<const uptr*>(thread.stack_high);
  if (end - word > static_cast<std::ptrdiff_t>(kWords)) end = word + kWords;
  const ModuleList* modules = g_modules.load(std::memory_order_acquire);
  for (; word < end; ++word) {
    const Module* module = find(modules, *word);
    if (module && module->origin == Origin::kProgram && *word - module->begin >= 8 && follows_a_call(*word))
      return *word;
  }
  return pc;
}

}  // namespace heddle
