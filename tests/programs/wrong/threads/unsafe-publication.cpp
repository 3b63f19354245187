// An object is published through a plain pointer: the pointer races, and the object's content with it.
// expect: race

#include <sched.h>

#include <thread>

struct Message {
  int text;
};
Message* mailbox;

static void post() {
  Message* message = new Message;  // race: A
  message->text = 42;              // race: A
  mailbox = message;               // race: A
}

int main() {
  std::thread thread(post);
  Message* found = nullptr;
  int text = 0;
  for (int i = 0; i < 1000 && !found; i++) {
    found = mailbox;  // race: A
    if (!found) sched_yield();
  }
  if (found) text = found->text;  // race: A
  thread.join();
  delete mailbox;
  return text != 0 && text != 42;
}
