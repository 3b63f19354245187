// prove: race
// options: --threads=2
// flags: -fopenmp
// Only the second to come finds the flag, and writes what the first reads without a lock.
int main() {
  int first = 1, data = 0, seen = 0;
#pragma omp parallel
  {
    int mine;
#pragma omp critical
    {
      mine = first;
      first = 0;
    }
    if (mine)
#pragma omp critical
      seen = data;
    else
      data = 1;
  }
  return seen > 1;
}
