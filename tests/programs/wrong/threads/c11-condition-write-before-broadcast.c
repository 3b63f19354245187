// Two waiters read what is written between the unlock and the broadcast that wakes them. C11 orders nothing by it.
// expect: race

#include <threads.h>

static mtx_t lock;
static cnd_t arrived, changed;
static int waiting, ready;
int data;

static int consumer(void* unused) {
  (void)unused;
  mtx_lock(&lock);
  ++waiting;
  cnd_signal(&arrived);
  while (!ready) cnd_wait(&changed, &lock);
  mtx_unlock(&lock);
  return data < 0;  // race: A
}

int main(void) {
  thrd_t threads[2];
  mtx_init(&lock, mtx_plain);
  cnd_init(&arrived);
  cnd_init(&changed);
  for (int i = 0; i < 2; ++i) thrd_create(&threads[i], consumer, 0);
  mtx_lock(&lock);
  while (waiting < 2) cnd_wait(&arrived, &lock);
  ready = 1;
  mtx_unlock(&lock);
  data = 42;  // race: A
  cnd_broadcast(&changed);
  for (int i = 0; i < 2; ++i) thrd_join(threads[i], 0);
  cnd_destroy(&arrived);
  cnd_destroy(&changed);
  mtx_destroy(&lock);
  return 0;
}
