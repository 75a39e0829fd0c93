// A server and two clients that meet at rendezvous channels; one client ends.
// atoms: busy; served > 1; client[1]@waiting; client[2]@waiting; server@idle
chan ask = [0] of { byte };
chan answer = [0] of { byte };
bool busy;
byte served;
active proctype server() {
  byte who;
idle:
  do
  :: ask?who -> busy = 1;
accept_busy: answer!who; busy = 0; served = (served + 1) % 3
  od
}
active [2] proctype client() {
  do
  :: ask!_pid ->
waiting: answer?eval(_pid)
  :: _pid == 2 -> break
  od
}
ltl answered { [] (busy -> <> !busy) }
// finite: small
ltl small { [] (served < 3) }
