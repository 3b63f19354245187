// The pipe hands the block over; the sender writes to it once more afterwards.
// expect: race

#include <pthread.h>
#include <unistd.h>

static int ends[2];
int block[4];

static void* sender(void* unused) {
  int* gift = block;
  block[0] = 1;
  ssize_t sent = write(ends[1], &gift, sizeof gift);
  block[1] = 2;  // race: A
  return sent == sizeof gift ? unused : block;
}

int main(void) {
  pthread_t thread;
  int* gift = 0;
  if (pipe(ends) != 0) return 1;
  pthread_create(&thread, 0, sender, 0);
  if (read(ends[0], &gift, sizeof gift) != sizeof gift) return 1;
  int sum = gift[0];
  sum += gift[1];  // race: A
  pthread_join(thread, 0);
  return sum != 1 && sum != 3;
}
