begin_version
3
end_version
begin_metric
1
end_metric
4
begin_variable
var0
-1
3
Atom at(hall)
Atom at(attic)
<none of those>
end_variable
begin_variable
var1
-1
2
Atom lit()
NegatedAtom lit()
end_variable
begin_variable
var2
0
2
Atom bright(attic)
NegatedAtom bright(attic)
end_variable
begin_variable
var3
1
2
Atom gloomy()
NegatedAtom gloomy()
end_variable
1
begin_mutex_group
2
0 0
0 1
end_mutex_group
begin_state
0
1
1
1
end_state
begin_goal
2
0 1
2 0
end_goal
3
begin_operator
carry hall attic
1
1 1
1
0 0 0 1
7
end_operator
begin_operator
light
0
2
0 1 1 0
2 0 2 1 0 0 -1 2
0
end_operator
begin_operator
drop
0
1
1 1 1 0 -1 2
1
end_operator
2
begin_rule
2
0 1
1 0
2 1 0
end_rule
begin_rule
1
2 1
3 1 0
end_rule
