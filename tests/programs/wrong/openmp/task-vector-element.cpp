// Two tasks write the same element of a vector on the heap.
// expect: race
// workers: 1 2 8

#include <vector>

int main()
{
    std::vector<int> values(4);
    int *element = &values[1];
#pragma omp parallel
#pragma omp single
    {
#pragma omp task
        *element = 1;  // race: A
#pragma omp task
        *element = 2;  // race: A
    }
    return 0;
}
