// The reader looks once: only if the flag is already set does it touch the data.
// expect: clean
// workers: 1 2 8

int data, flag, received = 42;

int main()
{
#pragma omp parallel
#pragma omp single
    {
#pragma omp task
        {
            data = 42;
#pragma omp atomic write seq_cst
            flag = 1;
        }
#pragma omp task
        {
            int seen;
#pragma omp atomic read seq_cst
            seen = flag;
            if (seen)
                received = data;
        }
    }
    return received != 42;
}
