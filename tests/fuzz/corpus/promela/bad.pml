#if N > (
proctype P( { x = ; od } init { "