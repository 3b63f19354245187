// private and firstprivate give each thread a copy; writing the copies touches nothing shared.
// expect: clean
// workers: 1 2 8

int main()
{
    int scratch = 0, base = 5;
#pragma omp parallel private(scratch) firstprivate(base)
    {
        for (scratch = 0; scratch < 10; scratch++)
            base += scratch;
    }
    return scratch + base != 5;
}
