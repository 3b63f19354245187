// Both threads leave nested calls by longjmp and then count the error without a lock.
// expect: race

#include <pthread.h>
#include <setjmp.h>

int errors;

__attribute__((noinline)) static void inner(jmp_buf* out) { longjmp(*out, 1); }

__attribute__((noinline)) static void outer(jmp_buf* out) { inner(out); }

static void* parse(void* unused) {
  jmp_buf out;
  if (setjmp(out) == 0) outer(&out);
  errors++;  // race: A
  return unused;
}

int main(void) {
  pthread_t one, two;
  pthread_create(&one, 0, parse, 0);
  pthread_create(&two, 0, parse, 0);
  pthread_join(one, 0);
  pthread_join(two, 0);
  return errors != 1 && errors != 2;
}
