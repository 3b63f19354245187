// prove: crash
// A signal wakes one of two that wait: either of them. The assertion holds only if it is the one that came first.
#include <pthread.h>

#include <cassert>
#include <thread>

pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t there = PTHREAD_COND_INITIALIZER;
int waiting = 0, first = 0;
bool signalled = false;

void wait_as(int who) {
  pthread_mutex_lock(&mutex);
  ++waiting;
  if (first == 0) first = who;
  while (!signalled) pthread_cond_wait(&there, &mutex);
  if (first != 0) assert(first == who);
  first = 0;
  pthread_cond_signal(&there);
  pthread_mutex_unlock(&mutex);
}

int main() {
  std::thread one(wait_as, 1), two(wait_as, 2);
  pthread_mutex_lock(&mutex);
  signalled = waiting == 2;
  pthread_mutex_unlock(&mutex);
  pthread_cond_signal(&there);
  if (!signalled) {
    pthread_mutex_lock(&mutex);
    signalled = true;
    first = 0;
    pthread_mutex_unlock(&mutex);
    pthread_cond_broadcast(&there);
  }
  one.join();
  two.join();
}
