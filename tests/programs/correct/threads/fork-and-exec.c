// A threaded program forks: one child works on its copy of the memory and exits, another becomes /bin/true.
// expect: clean

#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int shared;

static void* worker(void* unused) {
  pthread_mutex_lock(&lock);
  shared++;
  pthread_mutex_unlock(&lock);
  return unused;
}

int main(void) {
  pthread_t thread;
  int first, second;
  pthread_create(&thread, 0, worker, 0);
  pthread_mutex_lock(&lock);
  pid_t copy = fork();
  if (copy == 0) {
    shared += 10;
    _exit(shared < 10);
  }
  pthread_mutex_unlock(&lock);
  pid_t other = fork();
  if (other == 0) {
    execl("/bin/true", "true", (char*)0);
    _exit(1);
  }
  if (copy < 0 || other < 0) return 1;
  waitpid(copy, &first, 0);
  waitpid(other, &second, 0);
  pthread_join(thread, 0);
  return first != 0 || second != 0 || shared != 1;
}
