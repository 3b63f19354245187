// Threads that wait for each other through the kernel: a pipe and a socket that hold less than is written at once,
// poll, select, epoll, a connection to oneself.
// expect: clean

#include <poll.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <cstdio>
#include <string>
#include <thread>
#include <vector>

static long read_all(int file) {
  std::vector<char> buffer(10'000);
  long sum = 0, got;
  while ((got = read(file, buffer.data(), buffer.size())) > 0) sum += got;
  return sum;
}

int main() {
  const std::string much(1 << 20, 'x');
  const long size = static_cast<long>(much.size());
  int ends[2];
  if (pipe(ends) != 0) return 1;
  long got = 0, put = 0;
  std::thread reads([&] { got = read_all(ends[0]); });
  std::thread writes([&] {
    put = write(ends[1], much.data(), much.size());
    close(ends[1]);
  });
  reads.join();
  writes.join();
  if (got != size || put != size) return 2;

  int sockets[2];
  if (socketpair(AF_UNIX, SOCK_STREAM, 0, sockets) != 0) return 3;
  std::thread receives([&] { got = read_all(sockets[0]); });
  std::thread sends([&] {
    put = send(sockets[1], much.data(), much.size(), 0);
    shutdown(sockets[1], SHUT_WR);
  });
  receives.join();
  sends.join();
  if (got != size || put != size) return 4;

  int more[2], event = eventfd(0, 0), problem = 0;
  if (pipe(more) != 0) return 5;
  std::thread waits([&] {
    pollfd both[2] = {{more[0], POLLIN, 0}, {event, POLLIN, 0}};
    if (poll(both, 2, -1) < 1 || !(both[1].revents & POLLIN)) problem = 6;
    fd_set in;
    FD_ZERO(&in);
    FD_SET(more[0], &in);
    if (select(more[0] + 1, &in, nullptr, nullptr, nullptr) != 1) problem = 7;
    int epoll = epoll_create1(0);
    epoll_event wanted = {}, found = {};
    wanted.events = EPOLLIN;
    epoll_ctl(epoll, EPOLL_CTL_ADD, more[0], &wanted);
    if (epoll_wait(epoll, &found, 1, -1) != 1) problem = 8;
    close(epoll);
  });
  eventfd_write(event, 1);
  usleep(1000);
  if (write(more[1], "a", 1) != 1) return 9;
  waits.join();
  if (problem) return problem;
  pollfd nothing = {event, 0, 0};
  if (poll(&nothing, 1, 1) != 0) return 10;

  int listener = socket(AF_UNIX, SOCK_STREAM, 0);
  sockaddr_un name = {};
  name.sun_family = AF_UNIX;
  std::snprintf(name.sun_path + 1, sizeof name.sun_path - 1, "heddle-test-%d", static_cast<int>(getpid()));
  if (bind(listener, reinterpret_cast<sockaddr*>(&name), sizeof name) != 0 || listen(listener, 1) != 0) return 11;
  std::thread serves([&] {
    int peer = accept(listener, nullptr, nullptr);
    char text[8];
    if (read(peer, text, sizeof text) != 3 || write(peer, "back", 4) != 4) problem = 12;
    close(peer);
  });
  int client = socket(AF_UNIX, SOCK_STREAM, 0);
  if (connect(client, reinterpret_cast<sockaddr*>(&name), sizeof name) != 0) return 13;
  char answer[8];
  if (write(client, "hey", 3) != 3 || read(client, answer, sizeof answer) != 4) return 14;
  close(client);
  serves.join();
  return problem;
}
