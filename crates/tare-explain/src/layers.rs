//! From a stack to the layer that its time belongs to, by rules in `layers/*.layers`.
//!
//! A rule is a line: a layer (or `pass`), a pattern of the image, a pattern of the function, and optionally ` | ` and the
//! cause of such time. In patterns `*` stands for anything; the image `own` is what the contender's build made, `jit` what
//! its runtime compiled. A line that begins with `thread` has a layer and a pattern of a thread's name: all time of such a
//! thread is in that layer. A line that begins with `kin` has the pattern of an image that counts as the contender's own,
//! such as a library of its language that is linked at start. A function without a name matches only rules for a whole
//! image.
//!
//! A stack is read from its innermost function outwards. The first function with a rule decides, unless the rule is
//! `pass`: a copy belongs to the function that it was made for. A function without a rule decides if it is the
//! contender's own, or compiled at run time; otherwise it passes, too.

use tare_model::explanation::Layer;

/// The rules of each language, and of the kernel.
const FILES: [(&str, &str); 11] = [
    ("kernel", include_str!("../layers/kernel.layers")),
    ("c", include_str!("../layers/c.layers")),
    ("cpp", include_str!("../layers/cpp.layers")),
    ("go", include_str!("../layers/go.layers")),
    ("haskell", include_str!("../layers/haskell.layers")),
    ("java", include_str!("../layers/java.layers")),
    ("nginx", include_str!("../layers/nginx.layers")),
    ("node", include_str!("../layers/node.layers")),
    ("perl", include_str!("../layers/perl.layers")),
    ("python", include_str!("../layers/python.layers")),
    ("rust", include_str!("../layers/rust.layers")),
];

/// Rules for the contenders of some languages.
#[derive(Debug, Clone)]
pub(crate) struct Rules {
    threads: Vec<(Layer, &'static str)>,
    /// Images that count as the contender's own.
    kin: Vec<&'static str>,
    functions: Vec<Line>,
}

/// One rule.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Line {
    /// None: `pass`.
    layer: Option<Layer>,
    image: &'static str,
    symbol: &'static str,
    cause: Option<&'static str>,
}

/// A function as the rules see it.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Function {
    /// Its readable name; empty if it has none.
    pub name: String,
    /// The file that it is in.
    pub image: String,
    /// Whether that is the contender's own.
    pub own: bool,
}

/// What the rules say of a stack with this function innermost.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Say {
    /// It belongs to this layer, and may have this cause.
    Layer(Layer, Option<&'static str>),
    /// Its caller decides; in any case it may have this cause.
    Pass(Option<&'static str>),
}

impl Rules {
    /// Of the languages of a contender, its own first. C's are always among them, since every program uses C.
    pub(crate) fn of(languages: &[String]) -> Self {
        let mut names: Vec<&str> = languages.iter().map(String::as_str).collect();
        names.extend(["c", "nginx", "kernel"]);
        let mut rules = Self {
            threads: Vec::new(),
            kin: Vec::new(),
            functions: Vec::new(),
        };
        let mut seen = Vec::new();
        for name in names {
            if !seen.contains(&name) {
                seen.push(name);
                let text = FILES
                    .iter()
                    .find(|(known, _)| *known == name)
                    .map_or("", |(_, text)| text);
                text.lines().for_each(|line| rules.add(line));
            }
        }
        rules
    }

    fn add(&mut self, line: &'static str) {
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') {
            return;
        }
        if let Some((layer, name)) = parse_thread(line) {
            self.threads.push((layer, name));
        } else if let Some(image) = line.strip_prefix("kin ") {
            self.kin.push(image.trim());
        } else if let Some(rule) = parse(line) {
            self.functions.push(rule);
        }
    }

    /// The layer of all of a thread's time.
    pub(crate) fn thread(&self, name: &str) -> Option<Layer> {
        self.threads
            .iter()
            .find(|(_, pattern)| fits(pattern, name))
            .map(|(layer, _)| *layer)
    }

    /// What the rules say of a function.
    pub(crate) fn say(&self, function: &Function) -> Say {
        let own = function.own || self.kin.iter().any(|image| fits(image, &function.image));
        let rule = self.functions.iter().find(|rule| {
            let image = match rule.image {
                "own" => own,
                "jit" => function.image == "[jit]",
                pattern => fits(pattern, &function.image),
            };
            image && fits(rule.symbol, &function.name)
        });
        match rule {
            Some(Line {
                layer: Some(layer),
                cause,
                ..
            }) => Say::Layer(*layer, *cause),
            Some(Line { cause, .. }) => Say::Pass(*cause),
            None if function.name.is_empty() => Say::Pass(None),
            None if own || function.image == "[jit]" => Say::Layer(Layer::Application, None),
            None => Say::Pass(None),
        }
    }

    /// The decision on a stack, from what the rules say of its functions, innermost first. `kernel`: whether its innermost
    /// function is the kernel's.
    pub(crate) fn decide(says: impl Iterator<Item = Say>, kernel: bool) -> Decision {
        let mut passed = None;
        for (index, say) in says.enumerate() {
            match say {
                Say::Pass(cause) => passed = passed.or(cause.map(|cause| (cause, index))),
                Say::Layer(layer, cause) => {
                    // The kernel's work is the kernel's, for any caller.
                    let layer = match (kernel, layer) {
                        (true, Layer::Network) => Layer::Network,
                        (true, _) => Layer::Kernel,
                        (false, layer) => layer,
                    };
                    let cause = cause.map(|cause| (cause, index)).or(passed);
                    return Decision {
                        layer,
                        cause: cause.filter(|_| !kernel),
                    };
                }
            }
        }
        let layer = if kernel { Layer::Kernel } else { Layer::Unknown };
        Decision {
            layer,
            cause: passed.filter(|_| !kernel),
        }
    }
}

/// What the rules say of a stack.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Decision {
    /// The layer of its time.
    pub layer: Layer,
    /// Its cause, and the function that has it, by place in the stack.
    pub cause: Option<(&'static str, usize)>,
}

fn parse_thread(line: &'static str) -> Option<(Layer, &'static str)> {
    let rest = line.strip_prefix("thread ")?.trim_start();
    let (layer, name) = rest.split_once(' ')?;
    Some((Layer::of(layer)?, name.trim()))
}

fn parse(line: &'static str) -> Option<Line> {
    let (rule, cause) = match line.split_once(" | ") {
        Some((rule, cause)) => (rule, Some(cause.trim())),
        None => (line, None),
    };
    let (layer, rest) = rule.split_once(' ')?;
    let (image, symbol) = rest.trim_start().split_once(' ')?;
    let layer = match layer {
        "pass" => None,
        name => Some(Layer::of(name)?),
    };
    Some(Line {
        layer,
        image,
        symbol: symbol.trim(),
        cause,
    })
}

/// Whether a text matches a pattern, in which `*` stands for any characters.
pub(crate) fn fits(pattern: &str, text: &str) -> bool {
    let mut pieces = pattern.split('*');
    let first = pieces.next().unwrap_or_default();
    let Some(mut rest) = text.strip_prefix(first) else {
        return false;
    };
    let Some(last) = pattern.rsplit('*').next().filter(|_| pattern.contains('*')) else {
        return rest.is_empty();
    };
    let middle: Vec<&str> = pieces.collect();
    for piece in &middle[..middle.len() - 1] {
        match rest.find(piece) {
            Some(at) => rest = &rest[at + piece.len()..],
            None => return false,
        }
    }
    rest.ends_with(last)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_of_every_file_is_a_rule() {
        for (name, text) in FILES {
            for line in text.lines().map(str::trim) {
                let fine = line.is_empty()
                    || line.starts_with('#')
                    || line.starts_with("kin ")
                    || parse_thread(line).is_some()
                    || parse(line).is_some();
                assert!(fine, "{name}.layers: {line}");
            }
        }
        assert_eq!(parse("crust own main"), None);
        assert_eq!(parse("network own"), None);
    }

    #[test]
    fn patterns() {
        for (pattern, text) in [
            ("*", ""),
            ("*", "a"),
            ("a", "a"),
            ("a*", "ab"),
            ("*b", "ab"),
            ("a*c", "abc"),
            ("a*c*e", "abcde"),
            ("*b*", "abc"),
            ("a**", "a"),
        ] {
            assert!(fits(pattern, text), "{pattern} {text}");
        }
        for (pattern, text) in [
            ("a", "ab"),
            ("a*", "ba"),
            ("*b", "ba"),
            ("a*a", "a"),
            ("a*c*e", "abed"),
            ("", "a"),
        ] {
            assert!(!fits(pattern, text), "{pattern} {text}");
        }
    }

    fn layer(languages: &[&str], stack: &[(&str, &str, bool)]) -> Layer {
        let languages: Vec<String> = languages.iter().map(|&name| name.to_owned()).collect();
        let rules = Rules::of(&languages);
        let function = |&(name, image, own): &(&str, &str, bool)| Function {
            name: crate::names::readable(name, image, &languages),
            image: image.to_owned(),
            own,
        };
        let kernel = stack.first().is_some_and(|(_, image, _)| *image == "[kernel]");
        Rules::decide(stack.iter().map(|frame| rules.say(&function(frame))), kernel).layer
    }

    const MAIN: (&str, &str, bool) = ("main", "server", true);

    #[test]
    fn the_kernels_time_is_the_network_or_not() {
        let of = |names: &[&'static str]| {
            let stack: Vec<_> = names
                .iter()
                .map(|&name| (name, "[kernel]", false))
                .chain([MAIN])
                .collect();
            layer(&["c"], &stack)
        };
        assert_eq!(
            of(&[
                "_raw_spin_unlock_irqrestore",
                "sock_def_readable",
                "tcp_data_queue"
            ]),
            Layer::Network
        );
        assert_eq!(
            of(&["rw_verify_area", "vfs_write", "ksys_write", "do_syscall_64"]),
            Layer::Kernel
        );
        assert_eq!(
            of(&[
                "copy_user_generic",
                "tcp_sendmsg_locked",
                "sock_write_iter",
                "vfs_write"
            ]),
            Layer::Network
        );
        assert_eq!(
            of(&["clear_page_rep", "do_anonymous_page", "asm_exc_page_fault"]),
            Layer::Kernel
        );
        assert_eq!(of(&["do_epoll_wait"]), Layer::Kernel);
        assert_eq!(of(&["something"]), Layer::Kernel);
    }

    #[test]
    fn helpers_belong_to_their_callers() {
        let copy = ("__memmove_avx_unaligned_erms", "libc.so.6", false);
        assert_eq!(layer(&["c"], &[copy, MAIN]), Layer::Application);
        assert_eq!(
            layer(&["c"], &[copy, ("malloc", "libc.so.6", false), MAIN]),
            Layer::Allocation
        );
        assert_eq!(layer(&["c"], &[copy]), Layer::Unknown);
        // The same in a program that is linked with -static.
        let own = ("__memmove_avx_unaligned_erms", "server", true);
        assert_eq!(layer(&["c"], &[own]), Layer::Unknown);
        assert_eq!(layer(&["c"], &[("", "server", true)]), Layer::Unknown);
        let json = ("serde_json::ser::to_vec", "server", true);
        assert_eq!(
            layer(&["rust"], &[("core::fmt::write", "server", true), json]),
            Layer::Encoding
        );
    }

    #[test]
    #[expect(clippy::too_many_lines, reason = "a table of cases")]
    fn each_language_has_its_layers() {
        let own = |name: &'static str| (name, "server", true);
        let jit = |name: &'static str| (name, "[jit]", false);
        let jvm = |name: &'static str| (name, "libjvm.so", false);
        let cases: &[(&str, (&str, &str, bool), Layer)] = &[
            ("go", own("runtime.mallocgc"), Layer::Allocation),
            ("go", own("runtime.gcDrain"), Layer::Collection),
            ("go", own("runtime.findRunnable"), Layer::Runtime),
            ("go", own("net/http.(*conn).serve"), Layer::Protocol),
            ("go", own("encoding/json.Marshal"), Layer::Encoding),
            ("go", own("main.answer"), Layer::Application),
            ("haskell", own("evacuate"), Layer::Collection),
            ("haskell", own("stg_ap_pp_fast"), Layer::Runtime),
            ("haskell", ("", "libHSrts_thr-ghc9.0.2.so", false), Layer::Runtime),
            (
                "haskell",
                ("allocateMightFail", "libHSrts_thr-ghc9.0.2.so", false),
                Layer::Allocation,
            ),
            (
                "haskell",
                own("aesonzm2zi0_DataziAeson_encode_info"),
                Layer::Encoding,
            ),
            ("haskell", own("CommaSep_commaSep_info"), Layer::Application),
            (
                "haskell",
                own("warpzm3_NetworkziWaiziHandlerziWarp_run_info"),
                Layer::Protocol,
            ),
            ("java", jit("void Main.serve(int)"), Layer::Application),
            ("java", jit("Interpreter"), Layer::Runtime),
            (
                "java",
                jit("int io.netty.handler.codec.http.HttpObjectDecoder.decode()"),
                Layer::Protocol,
            ),
            ("java", jvm("jni_NewByteArray"), Layer::Runtime),
            ("java", jvm("G1ParScanThreadState::trim_queue"), Layer::Collection),
            ("java", jvm("MemAllocator::allocate() const"), Layer::Allocation),
            (
                "node",
                ("v8::internal::Scavenger::Process", "node", false),
                Layer::Collection,
            ),
            ("node", ("uv__io_poll", "node", false), Layer::Runtime),
            (
                "node",
                jit("LazyCompile:*answer /x/main.js:1:1"),
                Layer::Application,
            ),
            (
                "node",
                jit("LazyCompile:*parserOnIncoming node:_http_server:1:1"),
                Layer::Protocol,
            ),
            (
                "python",
                ("_PyEval_EvalFrameDefault", "python3.11", false),
                Layer::Runtime,
            ),
            ("perl", ("Perl_pp_concat", "perl", false), Layer::Runtime),
            ("perl", ("Perl_safesysmalloc", "perl", false), Layer::Allocation),
            ("rust", own("tokio::runtime::park"), Layer::Runtime),
            ("rust", own("hyper::proto::h1::role::parse"), Layer::Protocol),
            ("cpp", own("operator new(unsigned long)"), Layer::Allocation),
            ("c", ("__vfprintf_internal", "libc.so.6", false), Layer::Encoding),
            ("c", ("FCGX_PutStr", "libfcgi.so.0.0.0", false), Layer::Protocol),
            (
                "c",
                ("ngx_http_parse_request_line", "nginx", false),
                Layer::Protocol,
            ),
        ];
        for (language, frame, expected) in cases {
            assert_eq!(layer(&[language], &[*frame]), *expected, "{language} {frame:?}");
        }
    }

    #[test]
    fn threads_and_causes() {
        let rules = Rules::of(&["java".to_owned()]);
        assert_eq!(rules.thread("GC Thread#0"), Some(Layer::Collection));
        assert_eq!(rules.thread("main"), None);
        let bridge = Function {
            name: "jni_GetByteArrayRegion".to_owned(),
            image: "libjvm.so".to_owned(),
            own: false,
        };
        assert_eq!(
            rules.say(&bridge),
            Say::Layer(Layer::Runtime, Some("calls between languages"))
        );
        let copy = Say::Pass(Some("copies of memory"));
        let (nobody, own) = (Say::Pass(None), Say::Layer(Layer::Application, None));
        let decided = |says: &[Say], kernel| Rules::decide(says.iter().copied(), kernel);
        let copied = decided(&[nobody, copy, own], false);
        assert_eq!(copied.layer, Layer::Application);
        assert_eq!(copied.cause, Some(("copies of memory", 1)));
        assert_eq!(decided(&[copy], false).layer, Layer::Unknown);
        assert_eq!(decided(&[copy], false).cause, Some(("copies of memory", 0)));
        assert_eq!(decided(&[copy, own], true).cause, None);
        let named = decided(&[copy, rules.say(&bridge)], false);
        assert_eq!(named.cause, Some(("calls between languages", 1)));
    }
}
