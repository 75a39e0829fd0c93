/* Escapes that begin with a jump. It is a step of its own only where it leaves an atomic sequence. */
byte g;

active proctype leaves()
{	byte k;
again:	k = k;
	atomic { { (k > 5); goto again } unless { goto on; g = 1 } };
on:	k = k;
	g = 0
}

active proctype stays()
{	byte k;
	k = k;
	atomic { { (k > 5); k = 1 } unless { goto inside; g = 1 }; inside: k = 2; g = 2 };
	g = 3
}

active proctype plain()
{	byte k;
again:	k = k;
	{ (k > 5); goto again } unless { goto on; g = 1 };
on:	k = k;
	g = 4
}
