package main

import (
	"capnproto.org/go/capnp/v3"
	"tare/capnp/jobs"
	inputs "tare/capnp/with/for-go"
)

// The value of a tree of arithmetic.
type eval struct{}

func (eval) ask(input int, segment *capnp.Segment) error {
	root, err := jobs.NewRootExpression(segment)
	if err != nil {
		return err
	}
	return grow(inputs.NewRandom(inputs.Eval, input), 0, root)
}

func (eval) serve(request *capnp.Message, segment *capnp.Segment) error {
	root, err := jobs.ReadRootExpression(request)
	if err != nil {
		return err
	}
	value, err := evaluate(root)
	if err != nil {
		return err
	}
	response, err := jobs.NewRootEvaluation(segment)
	response.SetValue(value)
	return err
}

func (eval) answer(response *capnp.Message) (uint64, error) {
	evaluation, err := jobs.ReadRootEvaluation(response)
	if err != nil {
		return 0, err
	}
	return uint64(int64(evaluation.Value())), nil
}

// The two sides of an expression have types of their own, and the same methods.
type newSide interface {
	SetValue(int32)
	NewExpression() (jobs.Expression, error)
}

func grow(random *inputs.Random, depth uint32, expression jobs.Expression) error {
	expression.SetOperation(jobs.Operation(inputs.Operation(random)))
	if err := growSide(random, depth, expression.Left()); err != nil {
		return err
	}
	return growSide(random, depth, expression.Right())
}

func growSide[S newSide](random *inputs.Random, depth uint32, side S) error {
	if inputs.IsLeaf(random, depth) {
		side.SetValue(inputs.Number(random))
		return nil
	}
	inner, err := side.NewExpression()
	if err != nil {
		return err
	}
	return grow(random, depth+1, inner)
}

func evaluate(expression jobs.Expression) (int32, error) {
	left, err := operandLeft(expression.Left())
	if err != nil {
		return 0, err
	}
	right, err := operandRight(expression.Right())
	if err != nil {
		return 0, err
	}
	return inputs.Apply(uint16(expression.Operation()), left, right), nil
}

func operandLeft(side jobs.Expression_left) (int32, error) {
	if side.Which() == jobs.Expression_left_Which_value {
		return side.Value(), nil
	}
	inner, err := side.Expression()
	if err != nil {
		return 0, err
	}
	return evaluate(inner)
}

func operandRight(side jobs.Expression_right) (int32, error) {
	if side.Which() == jobs.Expression_right_Which_value {
		return side.Value(), nil
	}
	inner, err := side.Expression()
	if err != nil {
		return 0, err
	}
	return evaluate(inner)
}
