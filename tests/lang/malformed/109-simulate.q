simulate [<=10] { n }
