control: A[] n < 3
