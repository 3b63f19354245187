// Two masked regions with different filters are run by two different threads, unordered.
// expect: race
// workers: 1 2 8

int x;

int main()
{
#pragma omp parallel num_threads(2)
    {
#pragma omp masked
        x = 1;  // race: A
#pragma omp masked filter(1)
        x = 2;  // race: A
    }
    return 0;
}
