// prove: proved
// classes: 2
// flags: -fopenmp
// options: --threads=2
// A taskwait waits for the child tasks of the thread, also for those that it created in a single before. Whichever
// thread got the single: no other one writes behind it.
int value;

int main() {
#pragma omp parallel
  {
    bool mine = false;
#pragma omp single nowait
    {
      mine = true;
#pragma omp task shared(value)
      value = 1;
    }
#pragma omp taskwait
    if (mine) value = 2;
  }
}
