// Neighbouring bytes, a bit-field behind a zero-width one and members of a packed record are different locations.
// expect: clean
// workers: 1 2 8

struct Flags {
    unsigned char low : 4;
    unsigned char : 0;
    unsigned char high : 4;
};

struct __attribute__((packed)) Record {
    char tag;
    int value;
    char end;
};

char byte[8];
Flags flags;
Record record;

int main()
{
#pragma omp parallel
#pragma omp single
    {
        for (int i = 0; i < 8; i++) {
#pragma omp task
            byte[i] = static_cast<char>(i);
        }
#pragma omp task
        flags.low = 1;
#pragma omp task
        flags.high = 2;
#pragma omp task
        record.value = 7;
#pragma omp task
        record.tag = record.end = 1;
    }
    return byte[7] + flags.low + flags.high + record.value != 17;
}
