/* Senders and receivers that confirm (Bui 2009, §5.3): a sender that waits for its confirmation until it has counted to
 * LIMIT reports an error. Pairs: --define N=3 */
#ifndef N
#define N 2
#endif
#ifndef LIMIT
#define LIMIT 10
#endif

chan data[N] = [1] of { bit };
chan confirmation[N] = [1] of { bit };

active [N] proctype sender()
{
	byte count;
	bit turn;

	do
	:: data[_pid]!turn;
	   count = 0;
	   do
	   :: confirmation[_pid]?eval(turn) -> break
	   :: count < LIMIT -> count++
	   :: count == LIMIT -> goto error
	   od;
	   turn = 1 - turn
	od;
error:	assert(false)
}

active [N] proctype receiver()
{
	bit received;

end:	do
	:: data[_pid - N]?received -> confirmation[_pid - N]!received
	od
}
