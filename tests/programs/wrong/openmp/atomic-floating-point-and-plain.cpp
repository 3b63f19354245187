// One task updates atomically, its sibling accesses the same numbers plainly.
// expect: race
// flags: -latomic

double sum;
long double wide;

int main()
{
#pragma omp parallel
#pragma omp single
    {
#pragma omp task
        {
#pragma omp atomic  // race: A
            sum += 1;  // race: A
#pragma omp atomic  // race: B
            wide += 1;  // race: B
        }
#pragma omp task
        {
            sum = 2;   // race: A
            wide = 2;  // race: B
        }
    }
    return 0;
}
