// The owner of a robust mutex ends with it; the next one is told, and goes on. A C11 thread and a locked stream
// beside it.
// expect: clean
// history: none

#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <threads.h>

static pthread_mutex_t mutex;
static int value;

static void* ends(void* unused) {
  pthread_mutex_lock(&mutex);
  value = 1;
  return unused;
}
static int c11(void* unused) {
  (void)unused;
  thrd_yield();
  flockfile(stderr);
  thrd_yield();
  funlockfile(stderr);
  return 5;
}

int main(void) {
  pthread_mutexattr_t attributes;
  pthread_mutexattr_init(&attributes);
  pthread_mutexattr_setrobust(&attributes, PTHREAD_MUTEX_ROBUST);
  pthread_mutex_init(&mutex, &attributes);
  pthread_t thread;
  pthread_create(&thread, 0, ends, 0);
  int result = pthread_mutex_lock(&mutex);
  if (result == EOWNERDEAD)
    pthread_mutex_consistent(&mutex);
  else if (result != 0)
    return 1;
  pthread_mutex_unlock(&mutex);
  pthread_join(thread, 0);

  thrd_t one, two;
  int first = 0, second = 0;
  thrd_create(&one, c11, 0);
  thrd_create(&two, c11, 0);
  fflush(stderr);
  thrd_join(one, &first);
  thrd_join(two, &second);
  return first == 5 && second == 5 ? 0 : 2;
}
