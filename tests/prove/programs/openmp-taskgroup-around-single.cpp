// prove: proved
// classes: 2
// flags: -fopenmp
// options: --threads=2
// The end of the taskgroup waits for the task if its thread got the single, and for the task's child.
int value;

int main() {
#pragma omp parallel
  {
    bool mine = false;
#pragma omp taskgroup
    {
#pragma omp single nowait
      {
        mine = true;
#pragma omp task shared(value)
        {
          value = 1;
#pragma omp task shared(value)
          value = 2;
        }
      }
    }
    if (mine) value = 3;
  }
}
