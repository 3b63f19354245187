// Tasks of one inoutset are unordered with each other (only ordered with those before and after the set).
// expect: race
// workers: 1 2 8
// compilers: clang

int x;

int main()
{
#pragma omp parallel
#pragma omp single
    {
#pragma omp task depend(out : x)
        x = 0;
#pragma omp task depend(inoutset : x)
        x = 1;  // race: A
#pragma omp task depend(inoutset : x)
        x = 2;  // race: A
    }
    return 0;
}
