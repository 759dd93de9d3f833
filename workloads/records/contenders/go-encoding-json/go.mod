module encodingjson

go 1.19
