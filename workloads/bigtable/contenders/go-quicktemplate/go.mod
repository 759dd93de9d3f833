module server

go 1.19

require github.com/valyala/quicktemplate v1.8.0

require github.com/valyala/bytebufferpool v1.0.0 // indirect
