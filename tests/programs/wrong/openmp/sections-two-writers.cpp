// Two sections write the same variable.
// expect: race
// workers: 2 8

int x;

__attribute__((noinline)) static void first() { x = 1; }   // race: A
__attribute__((noinline)) static void second() { x = 2; }  // race: A

int main()
{
#pragma omp parallel sections
    {
#pragma omp section
        first();
#pragma omp section
        second();
    }
    return 0;
}
