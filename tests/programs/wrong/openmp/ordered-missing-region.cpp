// The loop has the ordered clause, but the update is not in an ordered region.
// expect: race
// workers: 2 8

int total, printed;

__attribute__((noinline)) static void add(int i)
{
    total += i;  // race: A
}

int main()
{
#pragma omp parallel for ordered schedule(dynamic, 1)
    for (int i = 0; i < 8; i++) {
        add(i);
#pragma omp ordered
        printed++;
    }
    return 0;
}
