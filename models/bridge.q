// All are over within an hour (a witness exists) …
E<> now <= 60 and forall (w : who_t) Person(w).there
// … and not sooner (it holds).
A[] (forall (w : who_t) Person(w).there) imply now >= 60
