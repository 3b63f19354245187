// Each iteration waits for the one before and posts when it has written.
// expect: clean
// workers: 1 2 8

int a[17];

int main()
{
#pragma omp parallel for num_threads(2) ordered(1) schedule(dynamic, 1)
    for (int i = 1; i < 17; i++) {
#pragma omp ordered depend(sink : i - 1)
        a[i] = a[i - 1] + 1;
#pragma omp ordered depend(source)
    }
    return a[16] != 16;
}
