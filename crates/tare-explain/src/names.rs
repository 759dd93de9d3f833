//! Names of functions as people write them, from the symbols that compilers make of them.

/// Makes a symbol readable. `languages`: those of the contender, its own first.
pub(crate) fn readable(symbol: &str, image: &str, languages: &[String]) -> String {
    let is = |name: &str| languages.iter().any(|language| language == name);
    let jit = image == "[jit]";
    if jit && is("java") {
        return java(symbol);
    }
    if jit && is("node") {
        return node(symbol);
    }
    if image != "[kernel]" && is("haskell") {
        return haskell(symbol);
    }
    if image != "[kernel]" && is("rust") {
        return rust(symbol).to_owned();
    }
    symbol.to_owned()
}

/// `int java.lang.String.hashCode()` and `void Foo.bar(int, long)`: without what it returns and takes.
fn java(symbol: &str) -> String {
    let head = symbol.split('(').next().unwrap_or(symbol).trim_end();
    // Names of stubs have blanks, and no dots.
    match head.rsplit_once(' ') {
        Some((_, name)) if name.contains('.') => name.to_owned(),
        _ if head.is_empty() || symbol.contains(" (") => symbol.to_owned(),
        _ => head.to_owned(),
    }
}

/// `LazyCompile:*answer /lab/x/main.js:3:10` and `JS:~answer file:///…`: the function and its file, without the tier that
/// compiled it. Code of the virtual machine's own keeps its kind.
fn node(symbol: &str) -> String {
    let Some((kind, rest)) = symbol.split_once(':') else {
        return symbol.to_owned();
    };
    if !["LazyCompile", "Function", "Eval", "Script", "JS", "RegExp"].contains(&kind) {
        return symbol.to_owned();
    }
    let rest = rest.trim_start_matches(['*', '~', '^', '+', '-', '\'']);
    let (name, place) = rest.rsplit_once(' ').unwrap_or(("", rest));
    let file = place.rsplit('/').next().unwrap_or(place);
    let internal = place.find("node:").map(|at| &place[at..]);
    let line = file.split(':').take(2).collect::<Vec<_>>().join(":");
    let name = if name.is_empty() { "(anonymous)" } else { name };
    match internal {
        Some(place) => format!(
            "{name} {}",
            place.split(':').take(2).collect::<Vec<_>>().join(":")
        ),
        None => format!("{name} {line}"),
    }
}

/// `core::fmt::write::h0123456789abcdef`: without the hash.
fn rust(symbol: &str) -> &str {
    let hash = |text: &str| text.len() == 16 && text.bytes().all(|byte| byte.is_ascii_hexdigit());
    match symbol.rsplit_once("::h") {
        Some((name, end)) if hash(end) && !name.is_empty() => name,
        _ => symbol,
    }
}

/// GHC's symbols are `package_Module_name_info`, each part in z-encoding (GHC commentary, symbol names), in which an
/// underscore only comes between parts. Code of the runtime is in C, and has names of its own.
fn haskell(symbol: &str) -> String {
    const ENDS: [&str; 9] = [
        "_info", "_slow", "_ret", "_closure", "_entry", "_con", "_static", "_fast", "_tbl",
    ];
    let mut rest = symbol;
    while let Some(shorter) = ENDS.iter().find_map(|end| rest.strip_suffix(end)) {
        rest = shorter;
    }
    let parts: Vec<&str> = rest.split('_').collect();
    let module = |part: &&str| part.starts_with(|c: char| c.is_ascii_uppercase()) && !part.starts_with('Z');
    match parts.as_slice() {
        [_] => symbol.to_owned(),
        [first, _, ..] if module(first) && !symbol.contains("::") => decoded(&parts),
        [_, second, _, ..] if module(second) => decoded(&parts[1..]),
        _ => symbol.to_owned(),
    }
}

fn decoded(parts: &[&str]) -> String {
    parts
        .iter()
        .map(|part| z_decoded(part))
        .collect::<Vec<_>>()
        .join(".")
}

/// Undoes z-encoding: `zi` is a dot, `zq` a prime, `ZC` a colon, `z24U` the character of that hexadecimal number.
fn z_decoded(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text.chars();
    while let Some(c) = rest.next() {
        if c != 'z' && c != 'Z' {
            out.push(c);
            continue;
        }
        let Some(code) = rest.next() else {
            out.push(c);
            break;
        };
        match plain(c, code) {
            Some(decoded) => out.push(decoded),
            None if c == 'z' && code.is_ascii_digit() => {
                let digits: String = rest.by_ref().take_while(|&c| c != 'U').collect();
                let number = u32::from_str_radix(&format!("{code}{digits}"), 16).ok();
                // A control character must not reach a terminal.
                let decoded = number.and_then(char::from_u32).filter(|c| !c.is_control());
                out.push(decoded.unwrap_or('?'));
            }
            None => out.extend([c, code]),
        }
    }
    out
}

fn plain(escape: char, code: char) -> Option<char> {
    const LOWER: &str = "a&b|c^d$e=g>h#i.l<m-n!p+q'r\\s/t*u_v%zz";
    const UPPER: &str = "L(R)M[N]C:ZZ";
    let table = if escape == 'z' { LOWER } else { UPPER };
    let mut pairs = table.chars();
    while let Some((known, decoded)) = pairs.next().zip(pairs.next()) {
        if known == code {
            return Some(decoded);
        }
    }
    None
}

#[cfg(test)]
mod fuzz;

#[cfg(test)]
mod tests {
    use super::*;

    fn of(language: &str, image: &str, symbol: &str) -> String {
        readable(symbol, image, &[language.to_owned()])
    }

    #[test]
    fn haskell() {
        let name = |symbol| of("haskell", "server", symbol);
        assert_eq!(name("CommaSep_commaSep_info"), "CommaSep.commaSep");
        assert_eq!(
            name("aesonzm2zi0zi3zi0zm8LOabc_DataziAesonziEncodingziInternal_econcat_info"),
            "Data.Aeson.Encoding.Internal.econcat"
        );
        assert_eq!(name("base_GHCziBase_zpzp_info"), "GHC.Base.++");
        assert_eq!(name("ghczmprim_GHCziTuple_Z0T_closure"), "GHC.Tuple.Z0T");
        assert_eq!(name("Main_z24Urun_slow"), "Main.$run");
        assert_eq!(name("Main_z1bUzi_info"), "Main.?.");
        for own in [
            "stg_ap_ppp_fast",
            "GarbageCollect",
            "scavenge_block",
            "s3Xy_info",
            "",
            "_info",
        ] {
            assert_eq!(name(own), own);
        }
        assert_eq!(of("haskell", "[kernel]", "Main_x_info"), "Main_x_info");
    }

    #[test]
    fn java() {
        let name = |symbol| of("java", "[jit]", symbol);
        assert_eq!(
            name("int java.lang.String.hashCode()"),
            "java.lang.String.hashCode"
        );
        assert_eq!(name("void Main.serve(java.nio.ByteBuffer, int)"), "Main.serve");
        assert_eq!(name("Interpreter"), "Interpreter");
        assert_eq!(
            name("StubRoutines (initial stubs)"),
            "StubRoutines (initial stubs)"
        );
        assert_eq!(name("vtable stub"), "vtable stub");
        assert_eq!(name("(int)"), "(int)");
        assert_eq!(
            of("java", "libjvm.so", "jni_GetByteArrayRegion"),
            "jni_GetByteArrayRegion"
        );
    }

    #[test]
    fn node() {
        let name = |symbol| of("node", "[jit]", symbol);
        assert_eq!(
            name("LazyCompile:*answer /lab/x/main.js:3:10"),
            "answer main.js:3"
        );
        assert_eq!(name("LazyCompile:~ /lab/x/main.js:3:10"), "(anonymous) main.js:3");
        assert_eq!(
            name("JS:^onread node:internal/stream_base_commons:160:22"),
            "onread node:internal/stream_base_commons"
        );
        assert_eq!(name("Builtin:ArrayPush"), "Builtin:ArrayPush");
        assert_eq!(name("nothing"), "nothing");
    }

    #[test]
    fn rust() {
        let name = |symbol| of("rust", "server", symbol);
        assert_eq!(name("core::fmt::write::h0123456789abcdef"), "core::fmt::write");
        assert_eq!(name("server::main::hello"), "server::main::hello");
        assert_eq!(name("::h0123456789abcdef"), "::h0123456789abcdef");
    }

    #[test]
    fn no_symbol_breaks_them() {
        for symbol in [
            "z",
            "Z",
            "zz9",
            "A_z1f",
            "A_z1ffffffffffU",
            "é_É_z",
            " ",
            "(",
            ":",
            "LazyCompile:",
            "::h",
        ] {
            for language in ["haskell", "java", "node", "rust", "c"] {
                for image in ["[jit]", "server", "[kernel]"] {
                    of(language, image, symbol);
                }
            }
        }
    }
}
