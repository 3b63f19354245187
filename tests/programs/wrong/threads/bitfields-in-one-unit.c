// Two bit-fields of one storage unit are one memory location: writing one rewrites the other.
// expect: race

#include <pthread.h>

struct flags {
  unsigned ready : 3;
  unsigned failed : 5;
};
struct flags flags;

static void* set_failed(void* unused) {
  flags.failed = 1;  // race: A
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, set_failed, 0);
  flags.ready = 1;  // race: A
  pthread_join(thread, 0);
  return 0;
}
