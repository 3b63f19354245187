// One task changes a character of a string while another one copies it with memcpy.
// expect: race
// workers: 1 2 8

#include <cstring>
#include <string>

char copy[32];

int main()
{
    std::string text = "a text of more than fifteen bytes";
    char *characters = &text[0];
    std::size_t length = text.size() - 8;
#pragma omp parallel
#pragma omp single
    {
#pragma omp task
        characters[3] = 'T';  // race: A
#pragma omp task
        std::memcpy(copy, characters, length);  // race: A
    }
    return 0;
}
