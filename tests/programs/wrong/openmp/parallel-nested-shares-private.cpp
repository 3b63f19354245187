// What is private to a thread of the outer team is shared by the inner one.
// expect: race
// workers: 1 2 8
// history: none

int main()
{
    int wrong = 0;
#pragma omp parallel num_threads(1)
    {
        int mine = 0;
#pragma omp parallel
        {
#pragma omp single nowait
            mine += 1;  // race: A
#pragma omp single nowait
            mine += 2;  // race: A
        }
        wrong = mine < 1;
    }
    return wrong;
}
