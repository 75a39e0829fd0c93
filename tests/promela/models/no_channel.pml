// A channel variable without a channel.
chan q; chan other = [1] of { byte };
byte x;
active proctype P() { x = 1; q!1 }
