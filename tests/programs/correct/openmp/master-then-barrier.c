// A master region followed by a barrier; a second master region is the same thread, in program order.
// expect: clean
// workers: 1 2 8

int setting, copies;

int main(void)
{
    int wrong = 0;
#pragma omp parallel reduction(| : wrong)
    {
#pragma omp master
        setting = 2;
#pragma omp master
        copies = setting + 1;
#pragma omp barrier
        wrong |= copies != 3;
    }
    return wrong;
}
