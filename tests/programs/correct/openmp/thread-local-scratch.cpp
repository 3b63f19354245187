// Tasks on one thread share its thread_local scratch space, one after the other.
// expect: clean
// workers: 1 2 8

thread_local int scratch[4];
int result[12];

int main()
{
#pragma omp parallel
#pragma omp single
    for (int i = 0; i < 12; i++) {
#pragma omp task
        {
            for (int k = 0; k < 4; k++)
                scratch[k] = i + k;
            result[i] = scratch[0] + scratch[3];
        }
    }
    return result[11] != 25;
}
