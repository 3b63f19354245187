// A named semaphore, opened twice: both handles are one object, and it hands the data over.
// expect: clean

#include <fcntl.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <unistd.h>

static char name[40];
int data;

static void* sender(void* unused) {
  sem_t* mine = sem_open(name, 0);
  if (mine == SEM_FAILED) return name;
  data = 42;
  sem_post(mine);
  sem_close(mine);
  return unused;
}

int main(void) {
  pthread_t thread;
  snprintf(name, sizeof name, "/heddle-test-%d", (int)getpid());
  sem_t* mine = sem_open(name, O_CREAT | O_EXCL, 0600, 0);
  if (mine == SEM_FAILED) return 1;
  pthread_create(&thread, 0, sender, 0);
  sem_wait(mine);
  data++;
  int seen = data;
  pthread_join(thread, 0);
  sem_close(mine);
  sem_unlink(name);
  return seen != 43;
}
