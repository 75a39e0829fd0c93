/* Leader election in a ring: every process sends its number round; larger numbers are passed on, smaller ones are dropped,
 * and who gets its own number back is the leader (Chang and Roberts 1979). With FAULTY, equal numbers are possible, and two
 * processes become leaders. Size: --define N=4, error: --define FAULTY */
#ifndef N
#define N 3
#endif

chan link[N] = [N] of { byte };
byte leaders;

active [N] proctype node()
{
	byte number, other;

#ifdef FAULTY
	if :: number = N - _pid :: number = N fi;
#else
	number = N - _pid;
#endif
	link[(_pid + 1) % N]!number;
end:	do
	:: link[_pid]?other ->
	   if
	   :: other > number -> link[(_pid + 1) % N]!other
	   :: other < number
	   :: other == number -> leaders++; assert(leaders == 1)
	   fi
	od
}
