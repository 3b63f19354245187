// Two semaphores pass one plain counter to and fro; waiting is by sem_wait, sem_trywait and sem_timedwait.
// expect: clean

#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <time.h>

static sem_t ping, pong;
int ball;

static void* player(void* unused) {
  struct timespec far;
  clock_gettime(CLOCK_REALTIME, &far);
  far.tv_sec += 100;
  sem_wait(&ping);
  ball++;
  sem_post(&pong);
  if (sem_timedwait(&ping, &far) != 0) return unused;
  ball++;
  sem_post(&pong);
  return unused;
}

int main(void) {
  pthread_t thread;
  sem_init(&ping, 0, 0);
  sem_init(&pong, 0, 0);
  pthread_create(&thread, 0, player, 0);
  ball = 1;
  sem_post(&ping);
  while (sem_trywait(&pong) != 0) sched_yield();
  ball *= 10;
  sem_post(&ping);
  sem_wait(&pong);
  ball *= 2;
  int seen = ball;
  pthread_join(thread, 0);
  sem_destroy(&ping);
  sem_destroy(&pong);
  return seen != 42;
}
