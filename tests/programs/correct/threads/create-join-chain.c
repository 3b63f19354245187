// Create and join order everything: before the creation, inside the thread, after the join.
// expect: clean

#include <pthread.h>

int stage;

static void* advance(void* unused) {
  stage = stage * 2 + 1;
  return unused;
}

int main(void) {
  pthread_t thread;
  stage = 1;
  for (int i = 0; i < 3; i++) {
    pthread_create(&thread, 0, advance, 0);
    pthread_join(thread, 0);
    stage++;
  }
  return stage != 22;
}
