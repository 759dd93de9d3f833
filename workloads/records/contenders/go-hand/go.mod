module hand

go 1.19
