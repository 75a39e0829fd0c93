/* A rendezvous send gives up exclusive control: a process can be seen before the jump that leaves the atomic sequence. */
chan r = [0] of { byte };
byte x, y;

active proctype sender()
{
	byte n;

again:	atomic {
		n < 2 -> n++;
		if
		:: r!n; goto again
		:: r!0
		fi
	};
	x++;
	atomic { do :: x < 3 -> x++; r!x; break :: x >= 3 -> break od }
}

active proctype receiver()
{
	byte got;

end:	do
	:: r?got -> y = got
	od
}
