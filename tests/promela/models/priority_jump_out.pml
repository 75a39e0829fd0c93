// A statement of an atomic sequence gives way to another process, which sees this one before the jump out of the sequence.
byte g;

active proctype first() priority 2
{
	byte k;

	set_priority(0, 1);
	g = 1;
	k = 1
}

active proctype second() priority 1
{
	byte k;

	do
	:: atomic { k = 1; set_priority(0, 2); break }
	:: atomic { k = 2; set_priority(_pid, 1); goto L }
	od;
	g = 2;
L:	g = 3
}
