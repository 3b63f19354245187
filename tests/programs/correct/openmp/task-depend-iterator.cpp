// The summing task depends on every element through an iterator.
// expect: clean
// workers: 1 2 8

int a[6], sum;

int main()
{
#pragma omp parallel
#pragma omp single
    {
        for (int i = 0; i < 6; i++) {
#pragma omp task depend(out : a[i]) firstprivate(i)
            a[i] = i;
        }
#pragma omp task depend(iterator(k = 0 : 6), in : a[k])
        for (int value : a)
            sum += value;
    }
    return sum != 15;
}
