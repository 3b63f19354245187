// copyin gives every thread its own copy of the pointer, and all copies point to one counter.
// expect: race
// workers: 2 8

int counter;
int *mine;
#pragma omp threadprivate(mine)

int main(void)
{
    mine = &counter;
#pragma omp parallel copyin(mine)
    *mine += 1;  // race: A
    return 0;
}
