A[ n < 3 U n > 4 ]
