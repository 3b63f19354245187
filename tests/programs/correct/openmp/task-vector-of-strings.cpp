// Every task grows a string of its own, inside a vector that nobody resizes; its reader depends on it.
// expect: clean
// workers: 1 2 8

#include <string>
#include <vector>

int main()
{
    std::vector<std::string> lines(6);
    std::vector<int> lengths(6);
    std::string *line = lines.data();
#pragma omp parallel
#pragma omp single
    for (int i = 0; i < 6; i++) {
#pragma omp task depend(out : line[i])
        for (int k = 0; k <= 10 * i; k++)
            line[i] += 'x';
#pragma omp task depend(in : line[i])
        lengths[i] = static_cast<int>(lines[i].size());
    }
    return lengths[5] != 51;
}
