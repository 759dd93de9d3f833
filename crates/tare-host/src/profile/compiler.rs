//! JIT compilers' messages in a contender's log, if its language enables them.

use tare_model::evidence::Compiled;

/// The runtime whose lines they are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Dialect {
    /// HotSpot's `-Xlog:jit+compilation=debug` (JEP 158).
    Jvm,
}

impl Dialect {
    /// The dialect that a language's manifest names.
    pub fn of(name: &str) -> Option<Self> {
        match name {
            "jvm" => Some(Self::Jvm),
            _ => None,
        }
    }

    /// The sum over a part of a log; zero if nothing was compiled.
    pub fn read(self, log: &str) -> Compiled {
        let Self::Jvm = self;
        let all = log.lines().filter_map(jvm);
        all.fold(Compiled::default(), |sum, bytes| Compiled {
            methods: sum.methods + 1,
            bytes: sum.bytes.saturating_add(bytes),
        })
    }
}

/// `[1.2s][debug][jit,compilation]  123   !   4       java.util.HashMap::put (13 bytes)`: the bytes of a method that is
/// about to be compiled. Lines on discarded code have further words at the end.
fn jvm(line: &str) -> Option<u64> {
    // Tags are padded with blanks to the length of the longest so far.
    let (_, rest) = line.split_once("[jit,compilation")?;
    let (_, rest) = rest.split_once(']')?;
    let rest = rest.trim_end();
    // A call into native code, which has no bytecode.
    if let Some((_, words)) = rest.split_once("(native)") {
        return matches!(words.trim(), "" | "(static)").then_some(0);
    }
    let (_, bytes) = rest.strip_suffix(" bytes)")?.rsplit_once(" (")?;
    bytes.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hotspots_lines_are_read() {
        let log = "[0.1s][info][gc] Using G1\n\
                   [1.2s][debug][jit,compilation]  123   !   4       java.util.HashMap::put (13 bytes)\n\
                   [1.3s][debug][jit,compilation  ]  124 %     3       Main::loop @ 2 (34 bytes)\n\
                   [1.3s][debug][jit,compilation]  125     n 0       java.lang.invoke.MethodHandle::linkToStatic(L)L (native)   (static)\n\
                   [1.4s][debug][jit,compilation]  123   !   4       java.util.HashMap::put (13 bytes)   made not entrant\n\
                   [1.5s][debug][jit,compilation]  126       4       (method)\n";
        let read = Dialect::Jvm.read(log);
        assert_eq!((read.methods, read.bytes), (3, 47));
        assert_eq!(Dialect::Jvm.read(""), Compiled::default());
        assert_eq!(Dialect::of("jvm"), Some(Dialect::Jvm));
        assert_eq!(Dialect::of("v8"), None);
    }
}
