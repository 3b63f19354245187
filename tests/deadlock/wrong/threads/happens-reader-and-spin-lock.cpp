// A reader who wants a spin lock, and who holds that wants to write.
// expect: deadlock
// happens: yes

#include <pthread.h>

#include <thread>

#include "../../happens.hpp"

pthread_rwlock_t table = PTHREAD_RWLOCK_INITIALIZER;
pthread_spinlock_t spin;

int main() {
  pthread_spin_init(&spin, PTHREAD_PROCESS_PRIVATE);
  end_when_all_wait(2);
  std::thread reader([] {
    pthread_rwlock_rdlock(&table);
    everybody_has_one(2);
    pthread_spin_lock(&spin);  // wants: A
  });
  std::thread writer([] {
    pthread_spin_lock(&spin);
    everybody_has_one(2);
    pthread_rwlock_wrlock(&table);  // wants: A
  });
  reader.join();
  writer.join();
  return 0;
}
