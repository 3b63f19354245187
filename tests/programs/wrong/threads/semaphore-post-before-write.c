// The post comes one line too early: it orders what was before it, not the write behind it.
// expect: race

#include <pthread.h>
#include <semaphore.h>

static sem_t filled;
int item;

static void* producer(void* unused) {
  sem_post(&filled);
  item = 5;  // race: A
  return unused;
}

int main(void) {
  pthread_t thread;
  sem_init(&filled, 0, 0);
  pthread_create(&thread, 0, producer, 0);
  sem_wait(&filled);
  int seen = item;  // race: A
  pthread_join(thread, 0);
  sem_destroy(&filled);
  return seen != 0 && seen != 5;
}
