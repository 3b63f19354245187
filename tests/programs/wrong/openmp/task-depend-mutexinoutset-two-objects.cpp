// Each task excludes others on an object of its own, so they do not exclude each other.
// expect: race
// workers: 1 2 8

int x, left, right;

int main()
{
#pragma omp parallel
#pragma omp single
    {
#pragma omp task depend(mutexinoutset : left)
        x = 1;  // race: A
#pragma omp task depend(mutexinoutset : right)
        x = 2;  // race: A
    }
    return 0;
}
