// Two single regions without a barrier in between may be run by two threads at once.
// expect: race
// workers: 1 2 8

int x;

int main(void)
{
#pragma omp parallel
    {
#pragma omp single nowait
        x = 1;  // race: A
#pragma omp single nowait
        x = 2;  // race: A
    }
    return 0;
}
