// Threads that are cancelled while they wait: for a condition (the handler runs with the mutex), asleep, for a
// semaphore, for a pipe, after having switched cancellation off for a while, and at any time.
// expect: clean

#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <unistd.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t never = PTHREAD_COND_INITIALIZER;
static sem_t none;
static int ends[2];
static int cleaned;

static void unlock(void* unused) {
  cleaned++;
  pthread_mutex_unlock(&mutex);
  (void)unused;
}
static void* waits_for_condition(void* unused) {
  pthread_mutex_lock(&mutex);
  pthread_cleanup_push(unlock, 0);
  for (;;) pthread_cond_wait(&never, &mutex);
  pthread_cleanup_pop(0);
  return unused;
}
static void* sleeps(void* unused) {
  sleep(1000);
  return unused;
}
static void* waits_for_semaphore(void* unused) {
  sem_wait(&none);
  return unused;
}
static void* reads(void* unused) {
  char byte;
  if (read(ends[0], &byte, 1) != 1) return 0;
  return unused;
}
static void* not_now(void* unused) {
  int before;
  pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &before);
  usleep(2000);
  pthread_setcancelstate(PTHREAD_CANCEL_ENABLE, &before);
  for (;;) {
    pthread_testcancel();
    sched_yield();
  }
  return unused;
}
static void* at_any_time(void* unused) {
  int before;
  pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, &before);
  for (;;) sched_yield();
  return unused;
}

int main(void) {
  sem_init(&none, 0, 0);
  if (pipe(ends) != 0) return 1;
  void* (*bodies[])(void*) = {waits_for_condition, sleeps, waits_for_semaphore, reads, not_now, at_any_time};
  for (int i = 0; i < 6; i++) {
    pthread_t thread;
    void* result = 0;
    pthread_create(&thread, 0, bodies[i], 0);
    usleep(1000);
    if (pthread_cancel(thread) != 0) return 2;
    if (pthread_join(thread, &result) != 0) return 3;
    if (result != PTHREAD_CANCELED) return 4;
  }
  pthread_mutex_lock(&mutex);
  int seen = cleaned;
  pthread_mutex_unlock(&mutex);
  return seen == 1 ? 0 : 5;
}
