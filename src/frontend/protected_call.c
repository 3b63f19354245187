#include "frontend/protected_call.h"

struct After {
  void (*function)(void*);
  void* data;
};

static void run(struct After* after) { after->function(after->data); }

void heddle_protected_call(void (*call)(void*), void* data, void (*after)(void*)) {
  __attribute__((cleanup(run), unused)) struct After guard = {after, data};
  call(data);
}
