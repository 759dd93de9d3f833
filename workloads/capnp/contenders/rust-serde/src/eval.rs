use std::cell::Cell;

use inputs::{Job, Random};
use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize};

use crate::modes::Exchange;

/// Expressions in each other that are read at the most, below the outermost one. serde_json has a limit of its own; postcard
/// has none, and would read a message of 120 KB until the stack is full.
const LEVELS: u32 = 64;

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
    Expression(#[serde(deserialize_with = "nested")] Box<Expression>),
}

/// Reads an expression in another one.
fn nested<'de, D: Deserializer<'de>>(from: D) -> Result<Box<Expression>, D::Error> {
    thread_local! {
        /// How many expressions are being read, each in the one before.
        static DEPTH: Cell<u32> = const { Cell::new(0) };
    }
    let depth = DEPTH.get();
    if depth == LEVELS {
        return Err(D::Error::custom(format_args!("more than {LEVELS} expressions in each other")));
    }
    DEPTH.set(depth + 1);
    let inner = Box::deserialize(from);
    DEPTH.set(depth);
    inner
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
