// The iterator of the reading task ends one element too early.
// expect: race
// workers: 1 2 8

int a[4];

static void use(int value) { asm volatile("" : : "r"(value)); }
__attribute__((noinline)) static void produce(int i) { a[i] = i; }  // race: A

int main()
{
#pragma omp parallel
#pragma omp single
    {
        for (int i = 0; i < 4; i++) {
#pragma omp task depend(out : a[i]) firstprivate(i)
            produce(i);
        }
#pragma omp task depend(iterator(k = 0 : 3), in : a[k])
        use(a[3]);  // race: A
    }
    return 0;
}
