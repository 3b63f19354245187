// The body of a single and what its thread does behind it are parallel to what the other threads do there.
// expect: race
// workers: 2 8

int value;

int main() {
#pragma omp parallel
  {
#pragma omp single nowait
    value = 1;  // race: A
    if (value == 2) value = 3;  // race: A
  }
  return 0;
}
