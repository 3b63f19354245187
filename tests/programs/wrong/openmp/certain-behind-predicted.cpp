// Each read is ordered behind some of the writes by the critical sections of this run, and behind others by nothing:
// the pair of lines is certain, whichever of these is met first.
// expect: race
// workers: 2 8

volatile int a, b, c, d, e, f;

void set(volatile int& variable) {
  variable = 1;  // race: A B C D E F
}

int main() {
#pragma omp parallel
  {
    int seen = 0;
#pragma omp barrier
#pragma omp critical(first)
    {
      set(a);
      set(b);
      set(c);
      set(d);
      set(e);
      set(f);
    }
#pragma omp for schedule(static, 1)
    for (int i = 0; i < 2; ++i) {
      seen = a;  // race: A
      seen = b;  // race: B
      seen = c;  // race: C
      seen = d;  // race: D
      seen = e;  // race: E
      seen = f;  // race: F
    }
  }
  return 0;
}
