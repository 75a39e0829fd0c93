/* Mutual exclusion with a mistake (Bui 2009, §4.3.1): a process says that it was the last to come, and raises its flag only
 * then. It enters if no other flag is raised, or if somebody came after it. Only what the processes
 * LOW and LOW + 1 do in there is looked at, if that is defined. Size: --define N=4, --define LOW=0 */
#ifndef N
#define N 3
#endif
#ifdef LOW
#define PART (_pid == LOW || _pid == LOW + 1)
#else
#define PART 1
#endif

bool flag[N];
byte last, inside;

active [N] proctype user()
{
	byte k;

	do
	:: last = _pid;
	   flag[_pid] = true;
	   k = 0;
	   do
	   :: last != _pid || k == N -> break
	   :: k < N && (k == _pid || !flag[k]) -> k++
	   od;
	   inside = inside + PART;
cs:	   assert(inside <= 1);
	   inside = inside - PART;
	   flag[_pid] = false
	od
}
