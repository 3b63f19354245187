// nogroup leaves the waiting to the creator, who does it with taskwait.
// expect: clean
// workers: 1 2 8

int a[12], sum;

int main()
{
#pragma omp parallel
#pragma omp single
    {
#pragma omp taskloop nogroup grainsize(1)
        for (int i = 0; i < 12; i++)
            a[i] = i;
#pragma omp taskwait
        for (int value : a)
            sum += value;
    }
    return sum != 66;
}
