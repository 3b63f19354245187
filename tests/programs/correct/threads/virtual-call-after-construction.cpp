// The thread starts when the object is complete and is joined before it is destroyed: virtual calls are safe.
// expect: clean

#include <pthread.h>

struct Runner {
  virtual int run() { return 1; }
  virtual ~Runner() {}
};

struct Worker : Runner {
  int run() override { return 2; }
};

static void* start(void* runner) {
  long result = static_cast<Runner*>(runner)->run();
  return reinterpret_cast<void*>(result);
}

int main() {
  pthread_t thread;
  void* result;
  Runner* worker = new Worker;
  pthread_create(&thread, nullptr, start, worker);
  pthread_join(thread, &result);
  delete worker;
  return reinterpret_cast<long>(result) != 2;
}
