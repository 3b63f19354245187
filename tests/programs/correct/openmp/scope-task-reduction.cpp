// Tasks of a scope region take part in its reduction; who leaves the region sees the sum. clang 19 has no scope,
// libomp 19 no entry point for it.
// expect: clean
// compilers: none
// serial: yes

int sum;

int main()
{
    int wrong = 0;
#pragma omp parallel num_threads(3) reduction(| : wrong)
    {
#pragma omp scope reduction(task, + : sum)
        for (int i = 1; i <= 4; i++) {
#pragma omp task in_reduction(+ : sum)
            sum += i;
        }
        wrong |= sum != 30;
    }
    return wrong;
}
