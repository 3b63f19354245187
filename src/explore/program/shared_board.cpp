#include "explore/program/shared_board.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

namespace heddle::explore {

using control::Board;

int far_away(int descriptor) {
  constexpr int kLowestDescriptor = 210;
  if (descriptor < 0) return descriptor;
  int far = fcntl(descriptor, F_DUPFD, kLowestDescriptor);
  if (far < 0) far = fcntl(descriptor, F_DUPFD, STDERR_FILENO + 1);  // a lower limit
  const int error = errno;
  ::close(descriptor);
  errno = error;
  return far;
}

Result<SharedBoard> make_board() {
  auto cannot = [](const char* what) {
    return Error{std::string("cannot ") + what + " a board: " + std::strerror(errno)};
  };
  const int near = memfd_create("heddle-board", 0);
  if (near < 0) return cannot("make");
  SharedBoard shared{far_away(near), nullptr};
  if (shared.descriptor < 0) return cannot("make");
  void* at = ftruncate(shared.descriptor, sizeof(Board)) == 0
                 ? mmap(nullptr, sizeof(Board), PROT_READ | PROT_WRITE, MAP_SHARED, shared.descriptor, 0)
                 : MAP_FAILED;
  if (at == MAP_FAILED) {
    const Error error = cannot("map");
    ::close(shared.descriptor);
    return error;
  }
  shared.board = static_cast<Board*>(at);
  shared.board->magic = Board::kMagic;
  shared.board->version = Board::kVersion;
  return shared;
}

bool put_places(control::Board& board, std::span<const control::Place> places) {
  if (places.size() > control::Steering::kMostPlaces) return false;
  board.steering.places = static_cast<u32>(places.size());
  board.steering.sites = 0;
  for (const control::Place& place : places)
    board.steering.sites = std::max(board.steering.sites, place.site + 1);
  std::copy(places.begin(), places.end(), board.steering.place);
  return true;
}

}  // namespace heddle::explore
