/* A resource that goes round a ring (Bui 2009, §4.3.1): who gets the token may use the resource, and passes the token on
 * when it is done. Tokens get lost, so after a time-out any process may send its number round the ring as a claim; who gets
 * its own number back uses the resource, too. But nobody tells the claimant that the token was not lost: two processes
 * have the resource at the same time. Size: --define N=8 */
#ifndef N
#define N 3
#endif
#define NEXT link[(_pid + 1) % N]

mtype = { token, claim };
chan link[N] = [1] of { mtype, byte };
byte resource;

inline use()
{
	resource++;
	assert(resource == 1);
	resource--
}

active [N] proctype node()
{
	byte who;
	bool claiming;

	if
	:: _pid == 0 -> NEXT!token(0)
	:: else
	fi;
	do
	:: link[_pid]?token(_) ->
	   if
	   :: use()
	   :: skip
	   fi;
	   NEXT!token(0)
	:: link[_pid]?claim(who) ->
	   if
	   :: who == _pid -> use(); claiming = false
	   :: else -> NEXT!claim(who)
	   fi
	:: !claiming -> claiming = true; NEXT!claim(_pid)
	od
}
