// The length of a channel that is none.
chan q = [1] of { byte };
active proctype P() { chan c; if :: c = q :: skip fi; len(c) == 0 }
