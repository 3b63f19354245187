// The writer locks, the reader does not bother.
// expect: race

#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int temperature;

static void* sensor(void* unused) {
  pthread_mutex_lock(&lock);
  temperature = 21;  // race: A
  pthread_mutex_unlock(&lock);
  return unused;
}

static void* display(void* shown) {
  *(int*)shown = temperature;  // race: A
  return 0;
}

int main(void) {
  pthread_t one, two;
  int shown = -1;
  pthread_create(&one, 0, sensor, 0);
  pthread_create(&two, 0, display, &shown);
  pthread_join(one, 0);
  pthread_join(two, 0);
  return shown != 0 && shown != 21;
}
