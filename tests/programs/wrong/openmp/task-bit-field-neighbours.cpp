// Two bit-fields in one unit of storage are one memory location: writing one rewrites the other.
// expect: race
// workers: 1 2 8

struct Flags {
    unsigned low : 4;
    unsigned high : 4;
};

Flags flags;

int main()
{
#pragma omp parallel
#pragma omp single
    {
#pragma omp task
        flags.low = 1;  // race: A
#pragma omp task
        flags.high = 2;  // race: A
    }
    return 0;
}
