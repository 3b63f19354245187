// Two critical regions with different names do not exclude each other.
// expect: race
// workers: 1 2 8

int x;

int main()
{
#pragma omp parallel
#pragma omp single
    {
#pragma omp task
        {
#pragma omp critical(left)
            x = 1;  // race: A
        }
#pragma omp task
        {
#pragma omp critical(right)
            x = 2;  // race: A
        }
    }
    return 0;
}
