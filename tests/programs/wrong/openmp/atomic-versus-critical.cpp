// An atomic update and a critical region do not exclude each other.
// expect: race
// workers: 1 2 8

int counter;

int main()
{
#pragma omp parallel
#pragma omp single
    {
#pragma omp task
        {
#pragma omp atomic  // race: A
            counter += 1;  // race: A
        }
#pragma omp task
        {
#pragma omp critical
            counter *= 2;  // race: A
        }
    }
    return 0;
}
