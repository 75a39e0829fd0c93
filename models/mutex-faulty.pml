/* Mutual exclusion with a mistake (Bui 2008, §4.3.1): a process says that it was the last to come, and raises its flag only
 * then. It enters if no other flag is raised, or if somebody came after it. Size: --define N=4 */
#ifndef N
#define N 3
#endif

bool flag[N];
byte last, inside;

active [N] proctype user()
{
	byte k;

	do
	:: last = _pid;
	   flag[_pid] = true;
	   if
	   :: last != _pid
	   :: atomic { k = 0;
		do
		:: k < N && (k == _pid || !flag[k]) -> k++
		:: k == N -> break
		od }
	   fi;
	   inside++;
cs:	   assert(inside == 1);
	   inside--;
	   flag[_pid] = false
	od
}
