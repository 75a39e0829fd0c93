unsigned x : 32; init { x-- }
