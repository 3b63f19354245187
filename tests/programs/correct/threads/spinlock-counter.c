// A pthread spin lock guards the counter; one thread takes it by trylock.
// expect: clean

#include <pthread.h>
#include <sched.h>

static pthread_spinlock_t lock;
int counter;

static void* spin(void* unused) {
  pthread_spin_lock(&lock);
  counter++;
  pthread_spin_unlock(&lock);
  return unused;
}

static void* try_and_spin(void* unused) {
  while (pthread_spin_trylock(&lock) != 0) sched_yield();
  counter++;
  pthread_spin_unlock(&lock);
  return unused;
}

int main(void) {
  pthread_t one, two;
  pthread_spin_init(&lock, PTHREAD_PROCESS_PRIVATE);
  pthread_create(&one, 0, spin, 0);
  pthread_create(&two, 0, try_and_spin, 0);
  pthread_join(one, 0);
  pthread_join(two, 0);
  pthread_spin_destroy(&lock);
  return counter != 2;
}
