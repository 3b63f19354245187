// The base destructor joins the thread, but before that it has set the virtual table back to the base's.
// expect: race

#include <pthread.h>

struct Runner {
  void launch() { pthread_create(&thread_, nullptr, start, this); }
  virtual int run() { return 1; }
  virtual ~Runner() { pthread_join(thread_, nullptr); }  // race: A
  static void* start(void* self);
  pthread_t thread_;
};

struct Worker : Runner {
  int run() override { return 2; }
  ~Worker() override {}  // race: A
};

void* Runner::start(void* self) {
  long result = static_cast<Runner*>(self)->run();  // race: A
  return reinterpret_cast<void*>(result);
}

int main() {
  Worker worker;
  worker.launch();
  return 0;
}
