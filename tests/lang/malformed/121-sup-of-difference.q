sup: x - y
