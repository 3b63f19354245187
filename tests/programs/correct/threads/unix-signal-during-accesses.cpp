// A timer interrupts a thread all the time, in the middle of its accesses, its locks and its thread creations. The
// handler has memory of its own.
// expect: clean

#include <pthread.h>
#include <signal.h>
#include <sys/time.h>

#include <vector>

static int history[64];
static unsigned interruptions;

static void handler(int) { history[interruptions++ % 64] = 1; }

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static long counter;

static void* count(void*) {
  for (int i = 0; i < 20000; ++i) {
    pthread_mutex_lock(&mutex);
    ++counter;
    pthread_mutex_unlock(&mutex);
  }
  return nullptr;
}

int main() {
  sigset_t alarm;
  sigemptyset(&alarm);
  sigaddset(&alarm, SIGALRM);
  pthread_sigmask(SIG_BLOCK, &alarm, nullptr);  // the worker inherits this: only main is interrupted
  pthread_t thread;
  pthread_create(&thread, nullptr, count, nullptr);
  pthread_sigmask(SIG_UNBLOCK, &alarm, nullptr);

  struct sigaction action = {};
  action.sa_handler = handler;
  action.sa_flags = SA_RESTART;
  sigaction(SIGALRM, &action, nullptr);
  itimerval often = {{0, 100}, {0, 100}};
  setitimer(ITIMER_REAL, &often, nullptr);

  std::vector<int> data(50000);
  for (int round = 0; round < 20; ++round)
    for (int& element : data) element += round;
  count(nullptr);

  itimerval never = {};
  setitimer(ITIMER_REAL, &never, nullptr);
  pthread_join(thread, nullptr);
  return counter == 40000 && data[7] == 190 ? 0 : 1;
}
