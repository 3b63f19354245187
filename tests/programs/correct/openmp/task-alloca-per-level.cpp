// A search that copies the board at each level with alloca: a task waits for its children, below whose frames its
// board is, and tasks of other branches run there meanwhile.
// expect: clean
// workers: 1 2 8

#include <alloca.h>
#include <string.h>

int found;

static bool fits(int columns, const char* rows)
{
    for (int i = 0; i < columns; i++)
        for (int j = i + 1; j < columns; j++) {
            int apart = rows[j] - rows[i];
            if (apart == 0 || apart == j - i || apart == i - j) return false;
        }
    return true;
}

static void place(int size, int column, const char* before)
{
    if (column == size) {
#pragma omp atomic
        found++;
        return;
    }
    char* after = static_cast<char*>(alloca(static_cast<unsigned>(size * size)));
    for (int row = 0; row < size; row++) {
        char* rows = after + row * size;
#pragma omp task firstprivate(rows, row)
        {
            char* own = static_cast<char*>(alloca(static_cast<unsigned>(size)));
            memcpy(own, before, static_cast<unsigned>(column));
            own[column] = static_cast<char>(row);
            memcpy(rows, own, static_cast<unsigned>(column + 1));
            if (fits(column + 1, rows)) place(size, column + 1, rows);
        }
    }
#pragma omp taskwait
}

int main()
{
    char none[1] = {};
#pragma omp parallel
#pragma omp single
    place(6, 0, none);
    return found != 4;
}
