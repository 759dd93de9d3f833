use capnp::Result;
use inputs::{Job, Random};

use crate::jobs_capnp::{evaluation, expression, Operation};
use crate::modes::Exchange;

/// The value of a tree of arithmetic.
pub struct Eval;

impl Exchange for Eval {
    type Request = expression::Owned;
    type Response = evaluation::Owned;

    fn ask(input: usize, request: expression::Builder<'_>) -> Result<()> {
        grow(&mut Random::new(Job::Eval, input), 0, request)
    }

    fn serve(request: expression::Reader<'_>, mut response: evaluation::Builder<'_>) -> Result<()> {
        response.set_value(evaluate(request)?);
        Ok(())
    }

    fn answer(response: evaluation::Reader<'_>) -> Result<u64> {
        Ok(i64::from(response.get_value()) as u64)
    }
}

fn grow(random: &mut Random, depth: u32, mut expression: expression::Builder<'_>) -> Result<()> {
    expression.set_operation(Operation::try_from(inputs::operation(random))?);
    let mut left = expression.reborrow().get_left();
    if inputs::is_leaf(random, depth) {
        left.set_value(inputs::number(random));
    } else {
        grow(random, depth + 1, left.init_expression())?;
    }
    let mut right = expression.get_right();
    if inputs::is_leaf(random, depth) {
        right.set_value(inputs::number(random));
    } else {
        grow(random, depth + 1, right.init_expression())?;
    }
    Ok(())
}

fn evaluate(expression: expression::Reader<'_>) -> Result<i32> {
    let left = match expression.get_left().which()? {
        expression::left::Value(value) => value,
        expression::left::Expression(inner) => evaluate(inner?)?,
    };
    let right = match expression.get_right().which()? {
        expression::right::Value(value) => value,
        expression::right::Expression(inner) => evaluate(inner?)?,
    };
    Ok(inputs::apply(expression.get_operation()? as u16, left, right))
}
