// The sender writes to the block once more after it has handed it over.
// expect: race
// workers: 2

#include <fcntl.h>
#include <mqueue.h>
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

static char name[40];
static mqd_t queue;
static int block[4];

static void* sender(void* unused) {
  int* sent = block;
  block[0] = 1;
  if (mq_send(queue, (const char*)&sent, sizeof sent, 0) != 0) return name;
  block[0] = 2;  // race: A
  return unused;
}

int main(void) {
  pthread_t thread;
  int* received;
  struct mq_attr attributes = {.mq_maxmsg = 1, .mq_msgsize = sizeof received};
  snprintf(name, sizeof name, "/heddle-test-%d", (int)getpid());
  queue = mq_open(name, O_CREAT | O_EXCL | O_RDWR, 0600, &attributes);
  if (queue == (mqd_t)-1) return 1;
  pthread_create(&thread, 0, sender, 0);
  if (mq_receive(queue, (char*)&received, sizeof received, 0) != sizeof received) return 1;
  int seen = received[0];  // race: A
  pthread_join(thread, 0);
  mq_close(queue);
  mq_unlink(name);
  return seen == 0;
}
