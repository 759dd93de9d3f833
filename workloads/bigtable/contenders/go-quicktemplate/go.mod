module server

go 1.19

require github.com/valyala/quicktemplate v1.8.0
