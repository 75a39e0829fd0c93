// xr and xs promise something, and change nothing.
chan q = [1] of { byte };
active proctype P() { xs q; q!1; q!2 }
active proctype Q() { xr q; byte k; q?k; q?k; assert(k == 1) }
