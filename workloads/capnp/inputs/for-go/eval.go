package inputs

import "math"

// Operation draws what an expression does.
func Operation(r *Random) uint16 { return uint16(r.Below(5)) }

// IsLeaf draws whether one side of an expression is a number.
func IsLeaf(r *Random, depth uint32) bool { return r.Below(8) < depth }

// Number draws such a number.
func Number(r *Random) int32 { return 1 + int32(r.Below(128)) }

// Apply does an operation. Numbers wrap at 32 bits; dividing by zero gives the largest one.
func Apply(operation uint16, left, right int32) int32 {
	switch {
	case operation == 0:
		return left + right
	case operation == 1:
		return left - right
	case operation == 2:
		return left * right
	case right == 0:
		return math.MaxInt32
	case operation == 3:
		return left / right
	default:
		return left % right
	}
}
