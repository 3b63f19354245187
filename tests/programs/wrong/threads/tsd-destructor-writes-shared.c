// The destructor of thread-specific data runs in the dying thread and writes a global that main is using.
// expect: race

#include <pthread.h>

static pthread_key_t key;
int closed;

static void on_exit_of_thread(void* value) {
  closed = *(int*)value;  // race: A
}

static void* worker(void* value) {
  pthread_setspecific(key, value);
  return 0;
}

int main(void) {
  pthread_t thread;
  int value = 1;
  pthread_key_create(&key, on_exit_of_thread);
  pthread_create(&thread, 0, worker, &value);
  closed = 2;  // race: A
  pthread_join(thread, 0);
  pthread_key_delete(key);
  return closed == 0;
}
