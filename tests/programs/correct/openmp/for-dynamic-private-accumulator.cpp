// Each thread adds the chunks it gets to a variable of its own, then to the shared sum under a critical region.
// expect: clean
// workers: 1 2 8

int sum;

int main()
{
#pragma omp parallel
    {
        int mine = 0;
        int *where = &mine;
#pragma omp for schedule(dynamic, 1) nowait
        for (int i = 0; i < 40; i++)
            *where += i;
#pragma omp critical
        sum += mine;
    }
    return sum != 780;
}
