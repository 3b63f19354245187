// Dependences order siblings only: these two tasks have different parents.
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
#pragma omp task depend(out : x)
            x = 1;  // race: A
        }
#pragma omp task
        {
#pragma omp task depend(inout : x)
            x = 2;  // race: A
        }
    }
    return 0;
}
