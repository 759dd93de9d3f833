// Package records has the records of a case: their types, their values, and how many fields they have.
package records

import (
	"os"
	"strconv"
	"strings"
)

// How many records there are, and how many fields the largest has: those of smaller ones are its first.
const (
	count  = 64
	fields = 50
)

// Filled is a record of some size by its pointer.
type Filled[R any] interface {
	*R
	Fill(value func(field int) int64)
}

// Make makes the records of one size.
func Make[R any, P Filled[R]]() []R {
	made := make([]R, count)
	for record := range made {
		P(&made[record]).Fill(func(field int) int64 { return value(record, field) })
	}
	return made
}

// SizeOfCase is the size of the case that the process was started for: 25-fields has one, the sweep fields has none,
// and none is 0.
func SizeOfCase() uint64 {
	if len(os.Args) < 2 {
		return 0
	}
	name, _, _ := strings.Cut(os.Args[1], "-")
	size, err := strconv.ParseUint(name, 10, 64)
	if err != nil {
		return 0
	}
	return size
}

// The value of a field of a record, as the workload's page has it.
func value(record, field int) int64 {
	z := splitmix64(uint64(record*fields + field))
	power := uint64(1)
	for digit := z % 9; digit > 0; digit-- {
		power *= 10
	}
	least := power
	if power == 1 {
		least = 0
	}
	magnitude := int64(least + (z>>8)%(power*10-least))
	if z>>61 == 0 {
		return -magnitude
	}
	return magnitude
}

// The output with that number, counted from 0, of the generator seeded with 1.
func splitmix64(number uint64) uint64 {
	z := 1 + (number+1)*0x9E3779B97F4A7C15
	z = (z ^ z>>30) * 0xBF58476D1CE4E5B9
	z = (z ^ z>>27) * 0x94D049BB133111EB
	return z ^ z>>31
}
