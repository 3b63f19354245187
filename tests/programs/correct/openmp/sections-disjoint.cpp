// Two sections write different variables; the barrier at the end orders the read.
// expect: clean
// workers: 1 2 8

int left, right;

__attribute__((noinline)) static void set_left() { left = 1; }
__attribute__((noinline)) static void set_right() { right = 2; }

int main()
{
    int wrong = 0;
#pragma omp parallel reduction(| : wrong)
    {
#pragma omp sections
        {
#pragma omp section
            set_left();
#pragma omp section
            set_right();
        }
        wrong |= left + right != 3;
    }
    return wrong;
}
