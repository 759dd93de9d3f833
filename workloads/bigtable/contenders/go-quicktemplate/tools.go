//go:build tools

// The compiler of templates, pinned with the rest.
package main

import _ "github.com/valyala/quicktemplate/qtc"
