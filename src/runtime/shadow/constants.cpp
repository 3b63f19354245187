#include "runtime/shadow/constants.hpp"

#include <link.h>

#include "runtime/shadow/shadow.hpp"

namespace heddle::constants {

uptr g_begin = 0, g_size = 0;

namespace {

// The first module is the executable. Linkers put what is written behind all else: up to there is one range.
int look_at_first(dl_phdr_info* info, size_t, void*) {
  uptr begin = ~uptr{0}, end = 0, written = ~uptr{0};
  for (int i = 0; i < info->dlpi_phnum; ++i) {
    const auto& header = info->dlpi_phdr[i];
    if (header.p_type != PT_LOAD) continue;
    const uptr from = info->dlpi_addr + header.p_vaddr, to = from + header.p_memsz;
    if (header.p_flags & PF_W) {
      if (from < written) written = from;
    } else {
      if (from < begin) begin = from;
      if (to > end) end = to;
    }
  }
  // Whole blocks, and no page that something written lies in.
  begin = (begin + kBlockSize - 1) & ~(kBlockSize - 1);
  written &= ~(kPageSize - 1);
  if (end > written) end = written;
  end &= ~(kBlockSize - 1);
  if (begin < end) {
    g_begin = begin;
    g_size = end - begin;
  }
  return 1;
}

}  // namespace

void find() { dl_iterate_phdr(look_at_first, nullptr); }

}  // namespace heddle::constants
