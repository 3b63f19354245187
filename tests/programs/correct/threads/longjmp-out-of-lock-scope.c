// A longjmp leaves the frame that took the lock; the landing place knows it and unlocks.
// expect: clean

#include <pthread.h>
#include <setjmp.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int errors;

__attribute__((noinline)) static void parse(jmp_buf* out) {
  pthread_mutex_lock(&lock);
  errors++;
  longjmp(*out, 1);
}

static void* worker(void* unused) {
  jmp_buf out;
  if (setjmp(out) == 0) parse(&out);
  errors++;
  pthread_mutex_unlock(&lock);
  return unused;
}

int main(void) {
  pthread_t one, two;
  pthread_create(&one, 0, worker, 0);
  pthread_create(&two, 0, worker, 0);
  pthread_join(one, 0);
  pthread_join(two, 0);
  return errors != 4;
}
