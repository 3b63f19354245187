// Each thread locks, but each its own mutex: no common lock guards the balance.
// expect: race

#include <pthread.h>

static pthread_mutex_t deposit_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t withdraw_lock = PTHREAD_MUTEX_INITIALIZER;
int balance = 100;

static void* deposit(void* unused) {
  pthread_mutex_lock(&deposit_lock);
  balance += 10;  // race: A
  pthread_mutex_unlock(&deposit_lock);
  return unused;
}

static void* withdraw(void* unused) {
  pthread_mutex_lock(&withdraw_lock);
  balance -= 10;  // race: A
  pthread_mutex_unlock(&withdraw_lock);
  return unused;
}

int main(void) {
  pthread_t one, two;
  pthread_create(&one, 0, deposit, 0);
  pthread_create(&two, 0, withdraw, 0);
  pthread_join(one, 0);
  pthread_join(two, 0);
  return 0;
}
