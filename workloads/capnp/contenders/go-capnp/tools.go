//go:build tools

package main

// The generator of code is locked with the library.
import _ "capnproto.org/go/capnp/v3/capnpc-go"
