// A message is sent from a buffer that another thread writes to, and received into one that it reads.
// expect: race
// workers: 2

#include <fcntl.h>
#include <mqueue.h>
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

static char name[40];
static char message[8], answer[8];

static void* other(void* unused) {
  message[0] = 'b';                         // race: A
  return answer[0] == 'c' ? name : unused;  // race: B
}

int main(void) {
  pthread_t thread;
  struct mq_attr attributes = {.mq_maxmsg = 1, .mq_msgsize = sizeof message};
  snprintf(name, sizeof name, "/heddle-test-%d", (int)getpid());
  mqd_t queue = mq_open(name, O_CREAT | O_EXCL | O_RDWR, 0600, &attributes);
  if (queue == (mqd_t)-1) return 1;
  pthread_create(&thread, 0, other, 0);
  if (mq_send(queue, message, sizeof message, 0) != 0) return 1;                     // race: A
  if (mq_receive(queue, answer, sizeof answer, 0) != sizeof answer) return 1;  // race: B
  pthread_join(thread, 0);
  mq_close(queue);
  mq_unlink(name);
  return 0;
}
