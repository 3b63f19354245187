// A pointer sent through a message queue, which the receiver has opened by itself, hands the block over.
// expect: clean
// workers: 2

#include <fcntl.h>
#include <mqueue.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static char name[40];

static void* sender(void* unused) {
  mqd_t queue = mq_open(name, O_WRONLY);
  if (queue == (mqd_t)-1) return name;
  for (int i = 1; i <= 4; i++) {
    int* block = malloc(4 * sizeof *block);
    block[0] = i;
    block[3] = i;
    if (mq_send(queue, (const char*)&block, sizeof block, 0) != 0) return name;
  }
  mq_close(queue);
  return unused;
}

int main(void) {
  pthread_t thread;
  int sum = 0;
  struct mq_attr attributes = {.mq_maxmsg = 2, .mq_msgsize = sizeof(int*)};
  snprintf(name, sizeof name, "/heddle-test-%d", (int)getpid());
  mqd_t queue = mq_open(name, O_CREAT | O_EXCL | O_RDONLY, 0600, &attributes);
  if (queue == (mqd_t)-1) return 1;
  pthread_create(&thread, 0, sender, 0);
  for (int i = 0; i < 4; i++) {
    int* block;
    if (mq_receive(queue, (char*)&block, sizeof block, 0) != sizeof block) return 1;
    block[0] += block[3];
    sum += block[0];
    free(block);
  }
  pthread_join(thread, 0);
  mq_close(queue);
  mq_unlink(name);
  return sum != 20;
}
