// Tasks of the group, and their children, take part in its reduction; the result is complete at the end of the group.
// expect: clean
// workers: 1 2 8

static int total;

int main()
{
#pragma omp parallel
#pragma omp single
    {
#pragma omp taskgroup task_reduction(+ : total)
        {
            for (int i = 1; i <= 8; i++) {
#pragma omp task in_reduction(+ : total) firstprivate(i)
                {
                    total += i;
#pragma omp task in_reduction(+ : total)
                    total += 100;
                }
            }
        }
        total += 1;
    }
    return total != 837;
}
