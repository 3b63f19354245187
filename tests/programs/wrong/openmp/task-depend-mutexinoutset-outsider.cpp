// The two mutexinoutset tasks exclude each other; the third task names no dependence.
// expect: race
// workers: 1 2 8

int x;

int main()
{
#pragma omp parallel
#pragma omp single
    {
#pragma omp task depend(mutexinoutset : x)
        x += 1;  // race: A
#pragma omp task depend(mutexinoutset : x)
        x += 2;  // race: A
#pragma omp task
        x = 0;  // race: A
    }
    return 0;
}
