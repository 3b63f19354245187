// One critical region guards against tasks, implicit tasks and chunks alike.
// expect: clean
// workers: 1 2 8

int x;

static void add(int value)
{
#pragma omp critical(everywhere)
    x += value;
}

int main()
{
#pragma omp parallel num_threads(2)
    {
        add(1);
#pragma omp task
        add(10);
#pragma omp for schedule(dynamic, 1) nowait
        for (int i = 0; i < 4; i++)
            add(100);
#pragma omp sections
        {
#pragma omp section
            add(1000);
#pragma omp section
            add(2000);
        }
    }
    return x != 3422;
}
