//! The examples of RFC 7541, appendix C, and what they do not show.

use super::*;

/// Bytes from hexadecimal digits.
pub(in super::super) fn hex(text: &str) -> Vec<u8> {
    let digits: Vec<u8> = text.bytes().filter(u8::is_ascii_hexdigit).collect();
    let byte = |pair: &[u8]| u8::from_str_radix(std::str::from_utf8(pair).unwrap(), 16).unwrap();
    digits.chunks(2).map(byte).collect()
}

fn texts(fields: &[Field]) -> Vec<String> {
    fields.iter().map(ToString::to_string).collect()
}

/// Decodes blocks one after the other; each must be these fields, and leave a table of this size with this newest entry.
fn hold(most: usize, blocks: &[(&str, &[&str], usize, &str)]) {
    let mut table = Table::default();
    table.limit(most);
    for (block, fields, size, newest) in blocks {
        let decoded = decode(&mut table, &hex(block)).unwrap();
        assert_eq!(texts(&decoded.fields), *fields);
        let (found, entries) = table.shown();
        assert_eq!(found, *size, "{entries:?}");
        assert_eq!(entries.first().map_or("", |entry| entry), *newest);
    }
}

#[test]
fn numbers_are_those_of_c_1() {
    let number = |bytes: &str, prefix| {
        Reader {
            bytes: &hex(bytes),
            at: 0,
        }
        .integer(prefix)
    };
    assert_eq!(number("0a", 5), Ok(10));
    assert_eq!(number("1f9a0a", 5), Ok(1337));
    assert_eq!(number("2a", 8), Ok(42));
    assert_eq!(number("7fffffff7f", 7), Ok(127 + (1 << 28) - 1));
    assert!(number("7fffffffff00", 7).is_err());
    assert!(number("7f80", 7).is_err(), "cut");
}

#[test]
fn representations_are_those_of_c_2() {
    let kept = "400a 6375 7374 6f6d 2d6b 6579 0d63 7573 746f 6d2d 6865 6164 6572";
    hold(
        4096,
        &[(
            kept,
            &["custom-key: custom-header"],
            55,
            "custom-key: custom-header",
        )],
    );
    hold(
        4096,
        &[(
            "040c 2f73 616d 706c 652f 7061 7468",
            &[":path: /sample/path"],
            0,
            "",
        )],
    );
    hold(
        4096,
        &[(
            "1008 7061 7373 776f 7264 0673 6563 7265 74",
            &["password: secret"],
            0,
            "",
        )],
    );
    hold(4096, &[("82", &[":method: GET"], 0, "")]);
}

#[test]
fn requests_are_those_of_c_3_and_c_4() {
    let first: &[&str] = &[
        ":method: GET",
        ":scheme: http",
        ":path: /",
        ":authority: www.example.com",
    ];
    let second: &[&str] = &[first[0], first[1], first[2], first[3], "cache-control: no-cache"];
    let third: &[&str] = &[
        ":method: GET",
        ":scheme: https",
        ":path: /index.html",
        ":authority: www.example.com",
        "custom-key: custom-value",
    ];
    let plain = [
        "8286 8441 0f77 7777 2e65 7861 6d70 6c65 2e63 6f6d",
        "8286 84be 5808 6e6f 2d63 6163 6865",
        "8287 85bf 400a 6375 7374 6f6d 2d6b 6579 0c63 7573 746f 6d2d 7661 6c75 65",
    ];
    let coded = [
        "8286 8441 8cf1 e3c2 e5f2 3a6b a0ab 90f4 ff",
        "8286 84be 5886 a8eb 1064 9cbf",
        "8287 85bf 4088 25a8 49e9 5ba9 7d7f 8925 a849 e95b b8e8 b4bf",
    ];
    for [one, two, three] in [plain, coded] {
        hold(
            4096,
            &[
                (one, first, 57, ":authority: www.example.com"),
                (two, second, 110, "cache-control: no-cache"),
                (three, third, 164, "custom-key: custom-value"),
            ],
        );
    }
}

/// A table of 256 bytes, from which entries are evicted.
#[test]
fn responses_are_those_of_c_5_and_c_6() {
    let date = "date: Mon, 21 Oct 2013 20:13:21 GMT";
    let location = "location: https://www.example.com";
    let first: &[&str] = &[":status: 302", "cache-control: private", date, location];
    let second: &[&str] = &[":status: 307", "cache-control: private", date, location];
    let cookie = "set-cookie: foo=ASDJKHQKBZXOQWEOPIUAXQWEOIU; max-age=3600; version=1";
    let third: &[&str] = &[
        ":status: 200",
        "cache-control: private",
        "date: Mon, 21 Oct 2013 20:13:22 GMT",
        location,
        "content-encoding: gzip",
        cookie,
    ];
    let plain = [
        "4803 3330 3258 0770 7269 7661 7465 611d 4d6f 6e2c 2032 3120 4f63 7420 3230 3133 2032 303a 3133 3a32 \
         3120 474d 546e 1768 7474 7073 3a2f 2f77 7777 2e65 7861 6d70 6c65 2e63 6f6d",
        "4803 3330 37c1 c0bf",
        "88c1 611d 4d6f 6e2c 2032 3120 4f63 7420 3230 3133 2032 303a 3133 3a32 3220 474d 54c0 5a04 677a 6970 \
         7738 666f 6f3d 4153 444a 4b48 514b 425a 584f 5157 454f 5049 5541 5851 5745 4f49 553b 206d 6178 2d61 \
         6765 3d33 3630 303b 2076 6572 7369 6f6e 3d31",
    ];
    let coded = [
        "4882 6402 5885 aec3 771a 4b61 96d0 7abe 9410 54d4 44a8 2005 9504 0b81 66e0 82a6 2d1b ff6e 919d 29ad \
         1718 63c7 8f0b 97c8 e9ae 82ae 43d3",
        "4883 640e ffc1 c0bf",
        "88c1 6196 d07a be94 1054 d444 a820 0595 040b 8166 e084 a62d 1bff c05a 839b d9ab 77ad 94e7 821d d7f2 \
         e6c7 b335 dfdf cd5b 3960 d5af 2708 7f36 72c1 ab27 0fb5 291f 9587 3160 65c0 03ed 4ee5 b106 3d50 07",
    ];
    for [one, two, three] in [plain, coded] {
        hold(
            256,
            &[
                (one, first, 222, location),
                (two, second, 222, ":status: 307"),
                (three, third, 215, cookie),
            ],
        );
    }
}

#[test]
fn what_a_block_depends_on_is_known() {
    let mut table = Table::default();
    let first = decode(&mut table, &hex("88 4003 782d61 0131")).unwrap();
    assert!(!first.refers && !first.resized);
    assert_eq!(texts(&first.added), ["x-a: 1"]);
    let again = decode(&mut table, &hex("88 be")).unwrap();
    assert!(again.refers && again.added.is_empty());
    assert_eq!(texts(&again.fields), [":status: 200", "x-a: 1"]);
    let named = decode(&mut table, &hex("0f2f 0132")).unwrap();
    assert!(named.refers, "a name of the dynamic table");
    assert_eq!(texts(&named.fields), ["x-a: 2"]);
    assert!(decode(&mut table, &hex("20 3fe11f 88")).unwrap().resized);
    assert_eq!(table.shown().0, 0);
}

#[test]
fn what_is_no_block_is_refused() {
    for (block, why) in [
        ("80", "an index that no table has"),
        ("be", "an index that no table has"),
        ("ffffffffffff", "a number of more than 28 bits"),
        ("7f", "a field that is cut"),
        ("000578", "a string that is cut"),
        ("0001", "a string that is cut"),
        ("8820", "a change of the table's size after a field"),
        ("3fe21f", "a table of more than 4,096 bytes"),
        ("000178 81ff", "more than 7 bits of padding"),
    ] {
        let error = decode(&mut Table::default(), &hex(block)).unwrap_err();
        assert!(error.contains(why), "{block}: {error}");
        assert!(error.contains("got      \""), "{block}: {error}");
    }
}

/// A small block whose every byte names an entry of 4,000 bytes.
#[test]
fn a_bomb_is_refused_before_it_fills_the_memory() {
    let mut bomb = hex("4001 78 7fa11e");
    bomb.extend([b'y'; 4000]);
    bomb.extend([0xbe; 10_000]);
    let error = decode(&mut Table::default(), &bomb).unwrap_err();
    assert!(error.contains("more than 256 KiB of fields"), "{error}");
}

#[test]
fn an_entry_larger_than_the_table_empties_it() {
    let mut table = Table::default();
    decode(&mut table, &hex("4001 78 0131")).unwrap();
    let mut large = hex("4001 78 7f811f");
    large.extend([b'y'; 4096]);
    decode(&mut table, &large).unwrap();
    assert_eq!(table.shown(), (0, Vec::new()));
}

/// Whatever is encoded comes back, and adds nothing to the table.
#[test]
fn requests_survive() {
    let long = "v".repeat(5000);
    let fields = [
        (":method", "GET"),
        (":method", "PATCH"),
        (":scheme", "http"),
        (":path", "/x?y"),
        ("authorization", "Basic eA=="),
        ("x-own", &long),
        ("te", "trailers"),
    ];
    let block = encode(fields.map(|(name, value)| (name, value.as_bytes())));
    assert_eq!(block[0], 0x82);
    let mut table = Table::default();
    let decoded = decode(&mut table, &block).unwrap();
    assert!(!decoded.refers && decoded.added.is_empty());
    assert_eq!(
        texts(&decoded.fields),
        fields.map(|(name, value)| format!("{name}: {value}"))
    );
}

/// A server's encoder that draws its way to write each field, against the decoder: what it meant is what is read, and both
/// tables stay the same.
#[test]
fn a_random_encoder_is_understood() {
    let seed = fastrand::u64(..);
    println!("seed {seed}");
    let mut rng = fastrand::Rng::with_seed(seed);
    let (mut table, mut mirror) = (Table::default(), Table::default());
    for _ in 0..400 {
        let (mut block, mut meant) = (Vec::new(), Vec::new());
        if rng.u8(..20) == 0 {
            let size = rng.usize(..=4096);
            number(&mut block, 0x20, 5, size);
            mirror.limit(size);
        }
        for _ in 0..rng.usize(1..12) {
            meant.push(draw(&mut rng, &mut mirror, &mut block).to_string());
        }
        let decoded = decode(&mut table, &block).unwrap();
        assert_eq!(texts(&decoded.fields), meant);
        assert_eq!(table.shown(), mirror.shown());
    }
}

/// Writes a field in a way that is drawn.
fn draw(rng: &mut fastrand::Rng, table: &mut Table, block: &mut Vec<u8>) -> Field {
    let entries = STATIC.len() + table.shown().1.len();
    if rng.bool() {
        let index = rng.usize(1..=entries);
        number(block, 0x80, 7, index);
        return table.get(index).unwrap();
    }
    let named = rng.bool().then(|| rng.usize(1..=entries));
    let text = |rng: &mut fastrand::Rng| (0..rng.usize(..300)).map(|_| rng.u8(..)).collect::<Vec<u8>>();
    let name = match named {
        Some(index) => table.get(index).unwrap().name,
        None => text(rng).into(),
    };
    let field = Field::new(&name, &text(rng));
    let (kind, prefix) = [(0x40, 6), (0, 4), (0x10, 4)][rng.usize(..3)];
    number(block, kind, prefix, named.unwrap_or(0));
    if named.is_none() {
        string(rng, block, &field.name);
    }
    string(rng, block, &field.value);
    if kind == 0x40 {
        table.insert(field.clone());
    }
    field
}

fn string(rng: &mut fastrand::Rng, block: &mut Vec<u8>, text: &[u8]) {
    if rng.bool() {
        number(block, 0, 7, text.len());
        block.extend_from_slice(text);
    } else {
        let coded = huffman::encode(text);
        number(block, 0x80, 7, coded.len());
        block.extend(coded);
    }
}

/// RFC 7541 §5.1, as its pseudocode has it.
fn number(out: &mut Vec<u8>, first: u8, prefix: u32, value: usize) {
    let most = 2_usize.pow(prefix) - 1;
    if value < most {
        out.push(first + value as u8);
        return;
    }
    out.push(first + most as u8);
    let mut rest = value - most;
    while rest >= 128 {
        out.push((rest % 128 + 128) as u8);
        rest /= 128;
    }
    out.push(rest as u8);
}
