// The program replaces itself right after an access that races: what is known by then is reported.
// expect: race

#include <pthread.h>
#include <unistd.h>

long value;

static void* worker(void*) {
  value = 1;  // race: A
  return nullptr;
}

int main() {
  pthread_t thread;
  pthread_create(&thread, nullptr, worker, nullptr);
  pthread_detach(thread);
  usleep(100'000);
  value = 2;  // race: A
  execl("/bin/true", "true", static_cast<char*>(nullptr));
  return 1;
}
