// Package inputs is what goes into the messages of the workload capnp: the stated generator, and plain values made
// from it. The README beside workload.toml says which number is drawn when; every language has this in its own words.
package inputs

// Kinds is the number of inputs of each job; iteration i is on input i mod Kinds.
const Kinds = 64

// The jobs, which differ in their inputs.
const (
	Carsales = 1
	Catrank  = 2
	Eval     = 3
)

// Random is Marsaglia's xorshift128 on 32-bit words.
type Random struct{ x, y, z, w uint32 }

// NewRandom mixes the state from the job and the number of the input.
func NewRandom(job, input int) *Random {
	first := uint32(2014*65536 + 1024*job + 4*input)
	return &Random{mix(first), mix(first + 1), mix(first + 2), mix(first + 3)}
}

// Next draws a number of 32 bits.
func (r *Random) Next() uint32 {
	t := r.x ^ r.x<<11
	r.x, r.y, r.z = r.y, r.z, r.w
	r.w = r.w ^ r.w>>19 ^ t ^ t>>8
	return r.w
}

// Below draws a number below a limit.
func (r *Random) Below(limit uint32) uint32 { return r.Next() % limit }

// The finaliser of MurmurHash3.
func mix(h uint32) uint32 {
	h = (h ^ h>>16) * 0x85ebca6b
	h = (h ^ h>>13) * 0xc2b2ae35
	return h ^ h>>16
}
