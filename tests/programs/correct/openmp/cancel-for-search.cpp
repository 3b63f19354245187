// The first who finds an element cancels the loop; the result is written atomically.
// expect: clean
// workers: 1 2 8
// env: OMP_CANCELLATION=true

int a[64], found = -1;

int main()
{
    for (int i = 0; i < 64; i++)
        a[i] = i % 16;
#pragma omp parallel
    {
#pragma omp for schedule(dynamic, 2)
        for (int i = 0; i < 64; i++) {
            if (a[i] == 9) {
#pragma omp atomic write
                found = i;
#pragma omp cancel for
            }
        }
    }
    return found % 16 != 9;
}
