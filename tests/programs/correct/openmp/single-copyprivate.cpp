// copyprivate copies the value into the private variables of the team, and each thread writes its own copy.
// expect: clean
// workers: 1 2 8

int main()
{
    int wrong = 0;
#pragma omp parallel reduction(| : wrong)
    {
        int seed;
#pragma omp single copyprivate(seed)
        seed = 11;
        seed += 1;
        wrong |= seed != 12;
    }
    return wrong;
}
