/* Peterson's protocol for mutual exclusion with a mistake: a process leaves the turn to the other one before it says that it
 * is interested. A process that is delayed between the two lets both into the critical section. */

bool interested[2];
byte turn, inside;

active [2] proctype user()
{
	do
	:: turn = 1 - _pid;
	   interested[_pid] = true;
	   (!interested[1 - _pid] || turn == _pid);
	   inside++;
cs:	   assert(inside == 1);
	   inside--;
	   interested[_pid] = false
	od
}
