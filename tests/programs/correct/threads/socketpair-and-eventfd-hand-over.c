// A byte over a socket pair in one direction, a count in an eventfd in the other: both order.
// expect: clean

#include <pthread.h>
#include <stdint.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

static int ends[2], event;
int request, answer;

static void* server(void* failed) {
  char byte;
  uint64_t one = 1;
  if (recv(ends[1], &byte, 1, 0) != 1) return failed;
  answer = request * 2;
  if (write(event, &one, sizeof one) != sizeof one) return failed;
  return 0;
}

int main(void) {
  pthread_t thread;
  uint64_t count;
  event = eventfd(0, 0);
  if (event < 0 || socketpair(AF_UNIX, SOCK_STREAM, 0, ends) != 0) return 1;
  pthread_create(&thread, 0, server, &request);
  request = 21;
  if (send(ends[0], "x", 1, 0) != 1) return 1;
  if (read(event, &count, sizeof count) != sizeof count) return 1;
  request = answer;
  int seen = request;
  pthread_join(thread, 0);
  return seen != 42 || count != 1;
}
