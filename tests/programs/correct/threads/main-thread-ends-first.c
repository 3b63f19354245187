// The initial thread ends, is joined by another, and the program goes on without it.
// expect: clean

#include <pthread.h>
#include <unistd.h>

static pthread_t initial;
static int left;

static void* goes_on(void* unused) {
  pthread_join(initial, 0);
  usleep(1000);
  if (left != 5) _exit(1);
  return unused;
}

int main(void) {
  pthread_t thread;
  initial = pthread_self();
  pthread_create(&thread, 0, goes_on, 0);
  pthread_detach(thread);
  left = 5;
  pthread_exit(0);
}
