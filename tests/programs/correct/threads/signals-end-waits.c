// Signals and waits: one ends a wait for a semaphore, one is waited for, one comes from a timer and posts, one is
// left by a jump.
// expect: clean

#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <setjmp.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

static sem_t permits;
static atomic_int interrupted;
static sigjmp_buf before;

static void nothing(int signal) { (void)signal; }
static void posts(int signal) {
  sem_post(&permits);
  (void)signal;
}
static void jumps(int signal) { siglongjmp(before, signal); }

static void* waits(void* unused) {
  while (sem_wait(&permits) != 0)
    if (errno == EINTR) interrupted = 1;
  return unused;
}
static void* takes(void* set) {
  int signal = 0;
  sigwait(set, &signal);
  return signal == SIGUSR2 ? set : 0;
}
static void wake_after(int microseconds) {
  struct itimerval timer = {{0, 0}, {0, microseconds}};
  setitimer(ITIMER_REAL, &timer, 0);
}

int main(void) {
  sem_init(&permits, 0, 0);
  struct sigaction action = {.sa_handler = nothing};  // without SA_RESTART
  sigaction(SIGUSR1, &action, 0);
  signal(SIGALRM, posts);

  pthread_t thread;
  pthread_create(&thread, 0, waits, 0);
  while (!interrupted) {
    pthread_kill(thread, SIGUSR1);
    usleep(1000);
  }
  sem_post(&permits);
  pthread_join(thread, 0);

  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGUSR2);
  pthread_sigmask(SIG_BLOCK, &set, 0);
  for (int to_thread = 0; to_thread < 2; to_thread++) {
    void* result = 0;
    pthread_create(&thread, 0, takes, &set);
    usleep(1000);
    if (to_thread)
      pthread_kill(thread, SIGUSR2);
    else
      kill(getpid(), SIGUSR2);
    pthread_join(thread, &result);
    if (!result) return 1;
  }

  wake_after(20000);
  while (sem_wait(&permits) != 0) {
  }
  signal(SIGALRM, jumps);
  if (sigsetjmp(before, 1) == 0) {
    wake_after(20000);
    for (;;) pause();
  }
  pthread_create(&thread, 0, waits, 0);
  sem_post(&permits);
  pthread_join(thread, 0);

  pid_t child = fork();
  if (child == 0) {
    pthread_create(&thread, 0, waits, 0);
    sem_post(&permits);
    pthread_join(thread, 0);
    _exit(7);
  }
  int status = 0;
  waitpid(child, &status, 0);
  return WEXITSTATUS(status) == 7 ? 0 : 2;
}
