use crate::Random;

#[inline]
pub fn operation(random: &mut Random) -> u16 {
    random.below(5) as u16
}

#[inline]
pub fn is_leaf(random: &mut Random, depth: u32) -> bool {
    random.below(8) < depth
}

#[inline]
pub fn number(random: &mut Random) -> i32 {
    1 + random.below(128) as i32
}

/// Numbers wrap at 32 bits; dividing by zero gives the largest one.
#[inline]
pub fn apply(operation: u16, left: i32, right: i32) -> i32 {
    match operation {
        0 => left.wrapping_add(right),
        1 => left.wrapping_sub(right),
        2 => left.wrapping_mul(right),
        _ if right == 0 => i32::MAX,
        3 => left.wrapping_div(right),
        _ => left.wrapping_rem(right),
    }
}
