// Each thread has its own block behind a key; the destructor adds it to a total under a lock and frees it.
// expect: clean

#include <pthread.h>
#include <stdlib.h>

static pthread_key_t key;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int total;

static void close_account(void* block) {
  pthread_mutex_lock(&lock);
  total += *(int*)block;
  pthread_mutex_unlock(&lock);
  free(block);
}

static void* worker(void* amount) {
  pthread_setspecific(key, malloc(sizeof(int)));
  int* account = pthread_getspecific(key);
  *account = 0;
  for (int i = 0; i < 3; i++) *(int*)pthread_getspecific(key) += *(int*)amount;
  return 0;
}

int main(void) {
  pthread_t one, two;
  int amount[2] = {1, 2};
  pthread_key_create(&key, close_account);
  pthread_create(&one, 0, worker, &amount[0]);
  pthread_create(&two, 0, worker, &amount[1]);
  pthread_join(one, 0);
  pthread_join(two, 0);
  pthread_key_delete(key);
  return total != 9;
}
