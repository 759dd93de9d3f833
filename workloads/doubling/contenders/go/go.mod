module doubling

go 1.19
