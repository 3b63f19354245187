// Two single regions without barriers on different data, then a barrier, then the reads.
// expect: clean
// workers: 1 2 8

int x, y;

int main(void)
{
    int wrong = 0;
#pragma omp parallel reduction(| : wrong)
    {
#pragma omp single nowait
        x = 1;
#pragma omp single nowait
        y = 2;
#pragma omp barrier
        wrong |= x + y != 3;
    }
    return wrong;
}
