// A search by untied tasks. What clang makes of one runs in parts, each in frames of its own, which lie where those
// of other tasks were.
// expect: clean
// workers: 1 2 8

#include <alloca.h>
#include <string.h>

int found;

bool fits(int columns, const char* rows)
{
    int seen[8] = {};
    for (int i = 0; i < columns; i++)
        for (int j = i + 1; j < columns; j++) {
            seen[i] = rows[j] - rows[i];
            if (seen[i] == 0 || seen[i] == j - i || seen[i] == i - j) return false;
        }
    return true;
}

void place(int size, int column, const char* before)
{
    if (column == size) {
#pragma omp atomic
        found++;
        return;
    }
    for (int row = 0; row < size; row++)
#pragma omp task untied
    {
        char* rows = static_cast<char*>(alloca(size));
        memcpy(rows, before, column);
        rows[column] = static_cast<char>(row);
        if (fits(column + 1, rows)) place(size, column + 1, rows);
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
