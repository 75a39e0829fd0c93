// A channel variable that gets its channel on one of two ways only.
chan q = [1] of { byte };
active proctype P() { chan c; if :: c = q :: skip fi; c!1 }
