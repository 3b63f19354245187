// C11 threads: a mtx_t of its own for each thread guards nothing.
// expect: race

#include <threads.h>

struct worker {
  mtx_t lock;
  int gain;
};
int score;

static int play(void* argument) {
  struct worker* self = argument;
  mtx_lock(&self->lock);
  score += self->gain;  // race: A
  mtx_unlock(&self->lock);
  return self->gain;
}

int main(void) {
  struct worker workers[2];
  thrd_t thread[2];
  int sum = 0;
  for (int i = 0; i < 2; i++) {
    mtx_init(&workers[i].lock, mtx_plain);
    workers[i].gain = i + 1;
  }
  for (int i = 0; i < 2; i++) thrd_create(&thread[i], play, &workers[i]);
  for (int i = 0; i < 2; i++) {
    int result;
    thrd_join(thread[i], &result);
    sum += result;
  }
  return sum != 3;
}
