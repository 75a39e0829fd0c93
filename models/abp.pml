/* The alternating bit protocol (Bartlett, Scantlebury and Wilkinson 1969) over channels that lose messages. The receiver
 * checks that nothing is lost or doubled. With FAULTY it takes every message for a new one. */
#define MAX 4

mtype = { message, confirm };
chan to_receiver = [1] of { mtype, byte, bit };
chan to_sender = [1] of { mtype, bit };

active proctype sender()
{
	byte value;
	bit mine, theirs;

	do
	:: to_receiver!message(value, mine);
	   if
	   :: to_sender?confirm(theirs) ->
		if
		:: theirs == mine -> mine = 1 - mine; value = (value + 1) % MAX
		:: else
		fi
	   :: timeout
	   fi
	od
}

active proctype receiver()
{
	byte value, expected;
	bit theirs, wanted;

	do
	:: to_receiver?message(value, theirs) ->
#ifdef FAULTY
	   if
	   :: true ->
#else
	   if
	   :: theirs == wanted ->
#endif
		assert(value == expected);
		expected = (expected + 1) % MAX;
		wanted = 1 - wanted
	   :: theirs != wanted
	   fi;
	   to_sender!confirm(theirs)
	od
}

active proctype loss()
{
	do
	:: to_receiver?message(_, _)
	:: to_sender?confirm(_)
	od
}
