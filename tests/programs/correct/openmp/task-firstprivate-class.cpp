// A firstprivate object with a copy constructor: the creator makes the copy at creation, and it dies with the task.
// expect: clean
// workers: 1 2 8

struct Buffer {
    int *data;

    explicit Buffer(int value) : data(new int[2]{value, value}) {}
    Buffer(const Buffer &other) : data(new int[2]{other.data[0], other.data[1]}) {}
    Buffer &operator=(const Buffer &) = delete;
    ~Buffer() { delete[] data; }
};

int result[8];

int main()
{
#pragma omp parallel
#pragma omp single
    {
        Buffer buffer(5);
        for (int i = 0; i < 8; i++) {
            buffer.data[0] = i;
#pragma omp task firstprivate(buffer, i)
            {
                buffer.data[1] += buffer.data[0];
                result[i] = buffer.data[1];
            }
        }
    }
    return result[7] != 12;
}
