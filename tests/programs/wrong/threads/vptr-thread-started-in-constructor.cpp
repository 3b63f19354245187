// The base constructor starts the thread; the derived constructor then sets the pointer to the virtual table
// that the thread is reading for its call.
// expect: race

#include <pthread.h>

struct Runner {
  Runner() { pthread_create(&thread_, nullptr, start, this); }
  virtual int run() { return 1; }
  int join() {
    void* result;
    pthread_join(thread_, &result);
    return static_cast<int>(reinterpret_cast<long>(result));
  }
  static void* start(void* self);
  pthread_t thread_;
};

struct Worker : Runner {
  Worker() {}  // race: A
  int run() override { return 2; }
};

void* Runner::start(void* self) {
  long result = static_cast<Runner*>(self)->run();  // race: A
  return reinterpret_cast<void*>(result);
}

int main() {
  Worker worker;
  int result = worker.join();
  return result != 1 && result != 2;
}
