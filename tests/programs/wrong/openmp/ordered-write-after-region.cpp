// Only the ordered region follows the order of the iterations; the write behind it is outside of that.
// expect: race
// workers: 2 8

int last, log_length, log_entry[8];

__attribute__((noinline)) static void finish(int i)
{
    last = i;  // race: A
}

int main()
{
#pragma omp parallel for ordered schedule(dynamic, 1)
    for (int i = 0; i < 8; i++) {
#pragma omp ordered
        log_entry[log_length++] = i;
        finish(i);
    }
    return 0;
}
