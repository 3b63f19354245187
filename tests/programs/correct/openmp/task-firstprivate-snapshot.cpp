// firstprivate copies at creation: the creator may change its variable at once.
// expect: clean
// workers: 1 2 8

int square[20];

int main()
{
#pragma omp parallel
#pragma omp single
    {
        int i = 0;
        while (i < 20) {
#pragma omp task firstprivate(i)
            square[i] = i * i;
            i++;
        }
    }
    return square[19] != 361;
}
