// Blocked sweeps: each task depends on its own block and on its left neighbour of the same sweep.
// expect: clean
// workers: 1 2 8

int block[5];

int main()
{
    block[0] = 1;
#pragma omp parallel
#pragma omp single
    for (int sweep = 0; sweep < 3; sweep++)
        for (int i = 1; i < 5; i++) {
#pragma omp task depend(in : block[i - 1]) depend(inout : block[i]) firstprivate(i)
            block[i] += block[i - 1];
        }
    return block[4] != 15;
}
