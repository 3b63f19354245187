// Both tasks catch their exception inside, as they must, and both handlers write one error code.
// expect: race
// workers: 1 2 8

int error;

static void fail(int code) { throw code; }

int main()
{
#pragma omp parallel
#pragma omp single
    {
#pragma omp task
        {
            try {
                fail(1);
            } catch (int) {
                error = 1;  // race: A
            }
        }
#pragma omp task
        {
            try {
                fail(2);
            } catch (int) {
                error = 2;  // race: A
            }
        }
    }
    return 0;
}
