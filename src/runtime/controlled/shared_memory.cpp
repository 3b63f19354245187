#include "runtime/controlled/shared_memory.hpp"

#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/check.hpp"
#include "base/system_call.hpp"

namespace heddle {

void* map_shared(int descriptor, usize size) {
  long at = system_call(SYS_mmap, nullptr, size, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
  system_call(SYS_close, descriptor);
  return is_error(at) ? nullptr : reinterpret_cast<void*>(at);
}

control::Board* map_board(int descriptor) {
  auto* board = static_cast<control::Board*>(map_shared(descriptor, sizeof(control::Board)));
  // Without it, the program would seem to have nothing parallel.
  if (board && (board->magic != control::Board::kMagic || board->version != control::Board::kVersion))
    fatal("the program was built with another version of Heddle than the one that runs it; build it again");
  return board;
}

}  // namespace heddle
