module server

go 1.19

require (
	connectrpc.com/connect v1.11.1
	golang.org/x/net v0.17.0
	google.golang.org/protobuf v1.31.0
)

require golang.org/x/text v0.13.0 // indirect
