// Two in-dependences on one object do not order each other, and both tasks write.
// expect: race
// workers: 1 2 8

int x;

int main()
{
#pragma omp parallel
#pragma omp single
    {
#pragma omp task depend(out : x)
        x = 0;
#pragma omp task depend(in : x)
        x = 1;  // race: A
#pragma omp task depend(in : x)
        x = 2;  // race: A
    }
    return 0;
}
