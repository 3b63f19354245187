// pthread_once makes the initialisation safe, not what every thread does to the object afterwards.
// expect: race

#include <pthread.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;
int users;

static void initialise(void) { users = 10; }

static void* worker(void* unused) {
  pthread_once(&once, initialise);
  users++;  // race: A
  return unused;
}

int main(void) {
  pthread_t one, two;
  pthread_create(&one, 0, worker, 0);
  pthread_create(&two, 0, worker, 0);
  pthread_join(one, 0);
  pthread_join(two, 0);
  return users != 11 && users != 12;
}
