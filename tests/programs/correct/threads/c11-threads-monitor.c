// C11 threads: mtx, cnd, call_once and tss do what their pthread cousins do.
// expect: clean

#include <threads.h>

static once_flag once = ONCE_FLAG_INIT;
static mtx_t lock;
static cnd_t changed;
static tss_t key;
int level, target;

static void set_target(void) { target = 3; }

static int fill(void* own) {
  call_once(&once, set_target);
  tss_set(key, own);
  mtx_lock(&lock);
  level++;
  *(int*)tss_get(key) = target;
  cnd_signal(&changed);
  mtx_unlock(&lock);
  return 0;
}

int main(void) {
  thrd_t thread[3];
  int own[3] = {0}, sum = 0;
  mtx_init(&lock, mtx_plain);
  cnd_init(&changed);
  tss_create(&key, 0);
  for (int i = 0; i < 3; i++) thrd_create(&thread[i], fill, &own[i]);
  mtx_lock(&lock);
  while (level < 3) cnd_wait(&changed, &lock);
  mtx_unlock(&lock);
  for (int i = 0; i < 3; i++) sum += own[i];
  for (int i = 0; i < 3; i++) thrd_join(thread[i], 0);
  mtx_destroy(&lock);
  cnd_destroy(&changed);
  tss_delete(key);
  return sum != 9;
}
