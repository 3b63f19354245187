// Every task of a taskloop gets a copy of an object with a copy constructor and a destructor. The runtime makes the
// copies from one task that never runs, and uses its memory, and that of finished tasks, again.

#include <vector>

struct Box {
  std::vector<int> values;
  explicit Box(int n) : values(n, 1) {}
  Box(const Box& other) : values(other.values) {}
  ~Box() {}
};

long out[1500];

static void sums(int base, int n) {
  Box box(20);
  long last = 0;
#pragma omp taskloop num_tasks(200) firstprivate(box) lastprivate(last)
  for (int i = 0; i < n; ++i) {
    box.values[0] = i;
    long sum = 0;
    for (int value : box.values) sum += value;
    out[base + i] = last = sum;
  }
  out[base] = last;
}

int main() {
#pragma omp parallel
#pragma omp single
  {
    for (int round = 0; round < 5; ++round) {
#pragma omp task
      {
        int counter = round;
#pragma omp taskloop num_tasks(50) firstprivate(counter) nogroup
        for (int i = 0; i < 100; ++i) out[900 + round * 100 + i] = counter++;
#pragma omp taskwait
      }
    }
    sums(0, 900);
  }
  return out[0] == 899 + 19 ? 0 : 1;
}
