// Every iteration of a guided loop leaves its index in one shared variable.
// expect: race
// workers: 2 8

int last_seen;
int a[256];

__attribute__((noinline)) static void visit(int i)
{
    a[i] = i;
    last_seen = i;  // race: A
}

int main()
{
#pragma omp parallel for schedule(guided)
    for (int i = 0; i < 256; i++)
        visit(i);
    return 0;
}
