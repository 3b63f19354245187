// The owner deletes the object without waiting for the thread that uses it.
// expect: race

#include <pthread.h>

struct Session {
  long header[8];
  long user;
};
long seen;

static void* serve(void* session) {
  seen = static_cast<Session*>(session)->user;  // race: A
  return nullptr;
}

int main() {
  pthread_t thread;
  Session* session = new Session();
  pthread_create(&thread, nullptr, serve, session);
  delete session;  // race: A
  pthread_join(thread, nullptr);
  return 0;
}
