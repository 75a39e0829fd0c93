/* Peterson's algorithm for N processes (the filter lock, 1981): a process climbs N - 1 levels, and on each waits while
 * somebody else is as high and it was the last to come. With FAULTY it waits only for those that are higher. Only
 * what the processes LOW and LOW + 1 do in the critical section is looked at, if that is defined. Size: --define N=4 */
#ifndef N
#define N 3
#endif
#ifdef FAULTY
#define FREE(k, j) (level[k] <= j)
#else
#define FREE(k, j) (level[k] < j)
#endif
#ifdef LOW
#define PART (_pid == LOW || _pid == LOW + 1)
#else
#define PART 1
#endif

byte level[N], last[N], inside;

active [N] proctype user()
{
	byte j, k;

	do
	:: for (j : 1 .. N - 1) {
		level[_pid] = j;
		last[j] = _pid;
		for (k : 0 .. N - 1) {
			(k == _pid || FREE(k, j) || last[j] != _pid)
		}
	   };
	   inside = inside + PART;
cs:	   assert(inside <= 1);
	   inside = inside - PART;
	   level[_pid] = 0
	od
}
