use inputs::{Job, Random};
use serde::{Deserialize, Serialize};

use crate::modes::Exchange;

/// The value of a tree of arithmetic.
pub struct Eval;

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Expression {
    operation: u16,
    left: Side,
    right: Side,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
enum Side {
    Value(i32),
    Expression(Box<Expression>),
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Evaluation {
    value: i32,
}

impl Exchange for Eval {
    type Request<'a> = Expression;
    type Response<'a> = Evaluation;

    fn ask(input: usize) -> Expression {
        grow(&mut Random::new(Job::Eval, input), 0)
    }

    fn serve(request: Self::Request<'_>) -> Self::Response<'_> {
        Evaluation {
            value: evaluate(&request),
        }
    }

    fn answer(response: Self::Response<'_>) -> u64 {
        i64::from(response.value) as u64
    }
}

fn grow(random: &mut Random, depth: u32) -> Expression {
    let operation = inputs::operation(random);
    let left = side(random, depth);
    let right = side(random, depth);
    Expression {
        operation,
        left,
        right,
    }
}

fn side(random: &mut Random, depth: u32) -> Side {
    if inputs::is_leaf(random, depth) {
        Side::Value(inputs::number(random))
    } else {
        Side::Expression(Box::new(grow(random, depth + 1)))
    }
}

fn evaluate(expression: &Expression) -> i32 {
    let operand = |side: &Side| match side {
        Side::Value(value) => *value,
        Side::Expression(inner) => evaluate(inner),
    };
    inputs::apply(
        expression.operation,
        operand(&expression.left),
        operand(&expression.right),
    )
}
