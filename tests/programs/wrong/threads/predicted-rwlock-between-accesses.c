// A writer section and a reader section may happen to order the two accesses; the other order does not.
// expect: predicted

#include <pthread.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
int data, version, seen_version;

static void* update(void* unused) {
  data = 1;  // race: A
  pthread_rwlock_wrlock(&lock);
  version++;
  pthread_rwlock_unlock(&lock);
  return unused;
}

static void* look(void* unused) {
  pthread_rwlock_rdlock(&lock);
  seen_version = version;
  pthread_rwlock_unlock(&lock);
  data = 2;  // race: A
  return unused;
}

int main(void) {
  pthread_t one, two;
  pthread_create(&one, 0, update, 0);
  pthread_create(&two, 0, look, 0);
  pthread_join(one, 0);
  pthread_join(two, 0);
  return version != 1 || seen_version > 1;
}
