module easy

go 1.19

require github.com/mailru/easyjson v0.9.1

require github.com/josharian/intern v1.0.0 // indirect
