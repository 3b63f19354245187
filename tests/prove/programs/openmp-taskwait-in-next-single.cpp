// prove: proved
// classes: 8
// flags: -fopenmp
// options: --threads=2
// Any thread may get each of the three singles. If one gets the first two, its taskwait waits for the task, whether
// that has ended already or not: that is one class, not two.
int value;

int main() {
  int seen = 0;
#pragma omp parallel firstprivate(seen)
  {
#pragma omp single nowait
    {
      seen = value;
#pragma omp task depend(out : value)
      seen = value;
    }
#pragma omp single
    {
      seen = value;
#pragma omp taskwait
    }
#pragma omp single
    value += 1;
    seen = value;
  }
}
