// Outside of parallel regions there is one thread: its tasks may come in any order, but never at the same time.
// expect: clean
// workers: 1 2 8

int x, list[3], sum;

void add(int* to) { *to += 1; }

int main()
{
#pragma omp task shared(x)
    x = 1;
#pragma omp task shared(x)
    {
        x = 2;
#pragma omp task shared(x)
        add(&x);
    }
    x += 3;
    // What a team does that is forked meanwhile: its threads are not at the same time as the tasks, either.
#pragma omp parallel
    {
#pragma omp single
        x += 1;
#pragma omp for
        for (int i = 0; i < 3; i++) list[i] = i;
    }
#pragma omp task shared(list)
    list[1] += 1;
#pragma omp taskloop nogroup shared(list)
    for (int i = 0; i < 3; i++) list[1] += i;
    list[1] += 1;
#pragma omp task untied shared(x)
    {
        add(&x);
#pragma omp taskyield
        add(&x);
    }
#pragma omp task if (0) shared(sum)
    {
#pragma omp task shared(sum)
        sum += 1;
        sum += 2;
    }
    sum += 4;
#pragma omp taskwait
    return sum != 7 || list[0] != 0 || list[2] != 2;
}
