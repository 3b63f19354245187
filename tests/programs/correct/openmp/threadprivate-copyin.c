// Every thread has its own copy of the variable, kept from one region to the next; copyin starts it from the master's.
// expect: clean
// workers: 1 2 8

int mine;
#pragma omp threadprivate(mine)

int main(void)
{
    int wrong = 0;
    mine = 3;
#pragma omp parallel copyin(mine) num_threads(2)
    {
#pragma omp for schedule(dynamic, 1)
        for (int i = 0; i < 10; i++)
            mine += 0;
        mine += 1;
    }
#pragma omp parallel num_threads(2) reduction(| : wrong)
    wrong |= mine != 4;
    return wrong;
}
