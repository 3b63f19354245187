// A packed member covers bytes 1 to 4 of its record; another task writes byte 4.
// expect: race
// workers: 1 2 8

struct __attribute__((packed)) Record {
    char tag;
    int value;
    char rest[3];
};

Record record;
char *bytes = reinterpret_cast<char *>(&record);

int main()
{
#pragma omp parallel
#pragma omp single
    {
#pragma omp task
        record.value = 7;  // race: A
#pragma omp task
        bytes[4] = 1;  // race: A
    }
    return 0;
}
