// The sum is a local of the function that meets the region, and shared: on the forking thread it lies on that
// thread's own stack, which makes it nobody's. A chunk and the single may run at the same time.
// expect: race
// workers: 1 2 8

int main()
{
    int sum = 0;
#pragma omp parallel
    {
#pragma omp for schedule(dynamic) nowait
        for (int i = 0; i < 1; i++) {
            sum += i;  // race: A
            asm volatile("" : : : "memory");
        }
#pragma omp single
        sum += 1;  // race: A
    }
    return sum != 1;
}
