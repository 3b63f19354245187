// _Atomic with its plain operators is sequentially consistent; so are the old __sync builtins.
// expect: clean

#include <pthread.h>
#include <sched.h>

_Atomic int flag;
int by_flag, by_lock, word;

static void* partner(void* unused) {
  by_flag = 1;
  flag = 1;
  while (__sync_lock_test_and_set(&word, 1)) sched_yield();
  by_lock++;
  __sync_lock_release(&word);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, partner, 0);
  while (!flag) sched_yield();
  by_flag++;
  int seen = by_flag;
  while (!__sync_bool_compare_and_swap(&word, 0, 1)) sched_yield();
  by_lock++;
  __sync_lock_release(&word);
  pthread_join(thread, 0);
  return seen != 2 || by_lock != 2;
}
