// A structure is copied together with its spin lock: each thread locks its copy and writes the common total.
// expect: race

#include <pthread.h>

struct account {
  pthread_spinlock_t lock;
  int* total;
};
int total;

static void* add(void* argument) {
  struct account mine = *(struct account*)argument;
  pthread_spin_lock(&mine.lock);
  *mine.total += 1;  // race: A
  pthread_spin_unlock(&mine.lock);
  return 0;
}

int main(void) {
  pthread_t one, two;
  struct account account = {.total = &total};
  pthread_spin_init(&account.lock, PTHREAD_PROCESS_PRIVATE);
  pthread_create(&one, 0, add, &account);
  pthread_create(&two, 0, add, &account);
  pthread_join(one, 0);
  pthread_join(two, 0);
  pthread_spin_destroy(&account.lock);
  return total != 1 && total != 2;
}
