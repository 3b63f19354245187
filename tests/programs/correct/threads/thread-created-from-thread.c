// A binary tree of threads: each node creates its children and adds up their results after joining them.
// expect: clean

#include <pthread.h>

struct node {
  int depth, sum;
};

static void* visit(void* argument) {
  struct node* self = argument;
  self->sum = 1;
  if (self->depth == 0) return 0;
  struct node child[2] = {{self->depth - 1, 0}, {self->depth - 1, 0}};
  pthread_t thread[2];
  for (int i = 0; i < 2; i++) pthread_create(&thread[i], 0, visit, &child[i]);
  for (int i = 0; i < 2; i++) {
    pthread_join(thread[i], 0);
    self->sum += child[i].sum;
  }
  return 0;
}

int main(void) {
  struct node root = {3, 0};
  visit(&root);
  return root.sum != 15;
}
