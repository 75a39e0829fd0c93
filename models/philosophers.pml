/* Dining philosophers: each takes the fork at the left hand, then the one at the right hand. If all have taken their left
 * fork, nobody goes on. Size: --define N=10 */
#ifndef N
#define N 4
#endif

bool taken[N];

active [N] proctype philosopher()
{
	do
	:: atomic { !taken[_pid] -> taken[_pid] = true };
	   atomic { !taken[(_pid + 1) % N] -> taken[(_pid + 1) % N] = true };
eating:	   taken[_pid] = false;
	   taken[(_pid + 1) % N] = false
	od
}
