// A jump out of an atomic sequence is a step of it: escapes are tried before it, and a process that is held up stands there.
byte g;

active proctype escaped()
{
	byte k;

	{ atomic { k = 1; goto L } } unless { k == 1; k = 7 };
	k = 2;
L:	{ do :: atomic { g = 1; break } od; k = 3 } unless { g == 1; k = 4 };
	{ atomic { if :: g = 2 :: g = 3; goto M fi }; k = 5 } unless { g >= 2; assert(k != 5) };
M:	skip
}

active proctype held_up() provided (g != 2)
{
	byte k;

	do :: atomic { g = 2; break } od;
	k = 1
}
