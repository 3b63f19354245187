#include "runtime/annotated/annotated.hpp"

#include <link.h>

#include "base/text.hpp"
#include "runtime/annotated/flags.hpp"
#include "runtime/annotated/intruders.hpp"
#include "runtime/annotated/memory.hpp"
#include "runtime/annotated/same_section.hpp"
#include "runtime/annotated/steps.hpp"
#include "runtime/log/raw_log.hpp"

namespace heddle::annotated {

namespace {

uptr program_base() {
  uptr base = 0;
  dl_iterate_phdr(
      [](dl_phdr_info* info, size_t, void* data) {
        *static_cast<uptr*>(data) = info->dlpi_addr;
        return 1;
      },
      &base);
  return base;
}

// Where a region of the executable begins, include/heddle/annotate.h leaves a byte. What a shared library does shows
// when it does it.
extern "C" const char __start_heddle_regions[] __attribute__((weak, visibility("hidden")));

// Does this code lie in the executable, as those bytes do?
bool in_executable() {
  auto visit = [](dl_phdr_info* info, size_t, void* data) {
    const uptr here = reinterpret_cast<uptr>(&in_executable) - info->dlpi_addr;
    for (u32 i = 0; i < info->dlpi_phnum; ++i)
      if (info->dlpi_phdr[i].p_type == PT_LOAD &&
          here - info->dlpi_phdr[i].p_vaddr < info->dlpi_phdr[i].p_memsz)
        *static_cast<bool*>(data) = true;
    return 1;
  };
  bool inside = false;
  dl_iterate_phdr(visit, &inside);
  return inside;
}

// "critical-sections;reacquired-locks;function:0x8+64;0x10+4;0x20+8,0x28+8": addresses are those of the executable's
// file; with commas, a group.
void read_environment() {
  const char* text = environment("HEDDLE_ATOMIC_PLACES");
  if (!text) return;
  const uptr base = program_base();
  while (*text) {
    const char* end = find(text, ';');
    if (starts_with(text, "critical-sections")) {
      g_critical_sections = g_regions = true;
      switch_on();
      g_anything_annotated.store(true, std::memory_order_relaxed);
    } else if (starts_with(text, "reacquired-locks")) {
      g_reacquired_locks = g_regions = true;
      switch_on();
      g_anything_annotated.store(true, std::memory_order_relaxed);
    } else {
      const bool function = starts_with(text, "function:");
      if (function) text += 9;
      const bool grouped = find(text, ',') < end;
      const u32 group = grouped ? new_group() : 0;
      for (const char* at = text; at < end;) {
        const char* stop;
        const uptr address = base + read_number(at, 16, &stop);
        const usize size = *stop == '+' ? read_number(stop + 1, 10, &stop) : 0;
        if (size && function) {
          add_region_function(address, size);
        } else if (size) {
          annotate(address, size, group);
        }
        at = stop < end ? stop + 1 : end;
        if (stop == at) break;
      }
    }
    text = *end ? end + 1 : end;
  }
}

// Marks would hide accesses: in blocks that got annotated data since, and in another step or region.
bool forget_marks(ThreadState& thread) {
  if (const u64 unit = unit_of(*thread.context); thread.annotated_unit != unit) {
    thread.annotated_unit = unit;
    thread.marks_stamped = 0;
  }
  const u32 version = g_version.load(std::memory_order_acquire);
  if (thread.annotated_version != version) {
    thread.annotated_version = version;
    __builtin_memset(static_cast<void*>(thread.filter), 0, sizeof(FilterEntry) * ThreadState::kFilter);
    thread.marks_stamped = 0;
  }
  return in_region(*thread.context);
}

constexpr Observer kObserver{intrude, race_with_pairs, flush, logged, forget_marks, destroy};

}  // namespace

void prepare() {
  raw_log::at_close({.warn = [] {
    if (g_anything_annotated.load(std::memory_order_relaxed)) return;
    raw_log::warning(
        "--check=atomicity: no data was declared atomic, so no violation could be found. Annotate "
        "it in the "
        "source (heddle/annotate.hpp: heddle::atomic_location(x), heddle::atomic_group(a, b), "
        "heddle::atomic_region) "
        "or with --atomic=var:NAME, group:NAME,NAME, function:NAME or critical-sections");
  }});
  g_regions = __start_heddle_regions || !in_executable();
  g_table = &kObserver;
  if (!rt().options.check_races) switch_on();  // what is not annotated is passed over
  read_environment();
}

}  // namespace heddle::annotated
