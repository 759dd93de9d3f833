//! The little of shell scripts that is read: words, and the arms of `case`. Nothing is expanded or run.

/// The most words of a script.
const MOST: usize = 100_000;

/// A word of a script, without its quotes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Word {
    pub(crate) text: String,
    /// Whether a part of it was quoted: then it is no keyword.
    quoted: bool,
}

/// An arm of a `case`: its patterns, and the words up to `;;`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Arm {
    pub(crate) patterns: Vec<String>,
    pub(crate) body: Vec<Word>,
}

impl Word {
    fn is(&self, text: &str) -> bool {
        !self.quoted && self.text == text
    }
}

/// The words of a script. Operators and line ends are words of their own, comments are left out.
pub(crate) fn words(text: &str) -> Vec<Word> {
    let mut scanner = Scanner {
        rest: text,
        words: Vec::new(),
        word: None,
    };
    while !scanner.rest.is_empty() && scanner.words.len() < MOST {
        scanner.step();
    }
    scanner.end_word();
    scanner.words
}

struct Scanner<'t> {
    rest: &'t str,
    words: Vec<Word>,
    word: Option<Word>,
}

impl Scanner<'_> {
    fn step(&mut self) {
        let mut chars = self.rest.chars();
        let first = chars.next().unwrap_or('\n');
        let next = chars.next();
        self.rest = &self.rest[first.len_utf8()..];
        match first {
            '\\' if next == Some('\n') => self.rest = &self.rest[1..],
            '\\' => {
                if let Some(escaped) = next {
                    self.rest = &self.rest[escaped.len_utf8()..];
                    self.push(escaped, true);
                }
            }
            '\'' => self.quote('\''),
            '"' => self.quote('"'),
            '#' if self.word.is_none() => {
                let end = self.rest.find('\n').unwrap_or(self.rest.len());
                self.rest = &self.rest[end..];
            }
            '\n' => self.operator("\n"),
            ';' if next == Some(';') => {
                self.rest = &self.rest[1..];
                self.operator(";;");
            }
            ';' => self.operator(";"),
            '(' => self.operator("("),
            ')' => self.operator(")"),
            '|' => self.operator("|"),
            '&' => self.operator("&"),
            c if c.is_whitespace() => self.end_word(),
            c => self.push(c, false),
        }
    }

    /// A quoted part, up to the next such quote. Of `"…"` a backslash keeps the character after it.
    fn quote(&mut self, quote: char) {
        self.word.get_or_insert_with(new).quoted = true;
        let mut escaped = false;
        for (at, c) in self.rest.char_indices() {
            if escaped {
                escaped = false;
            } else if c == '\\' && quote == '"' {
                escaped = true;
                continue;
            } else if c == quote {
                self.rest = &self.rest[at + 1..];
                return;
            }
            self.push(c, true);
        }
        self.rest = "";
    }

    fn push(&mut self, c: char, quoted: bool) {
        let word = self.word.get_or_insert_with(new);
        word.text.push(c);
        word.quoted |= quoted;
    }

    fn end_word(&mut self) {
        self.words.extend(self.word.take());
    }

    fn operator(&mut self, text: &str) {
        self.end_word();
        self.words.push(Word {
            text: text.to_owned(),
            quoted: false,
        });
    }
}

fn new() -> Word {
    Word {
        text: String::new(),
        quoted: false,
    }
}

/// The words of a function: from `NAME() {` to the line with `}` alone. Empty: there is none.
pub(crate) fn function<'w>(words: &'w [Word], name: &str) -> &'w [Word] {
    let begins = |at: &usize| {
        words[*at].is(name)
            && matches!(&words[at + 1..], [a, b, c, ..] if a.is("(") && b.is(")") && c.is("{"))
    };
    let Some(at) = (0..words.len()).find(begins) else {
        return &[];
    };
    let body = &words[at + 4..];
    let ends = |pair: &[Word]| pair[0].is("\n") && pair[1].is("}");
    let end = body.windows(2).position(ends).unwrap_or(body.len());
    &body[..end]
}

/// The arms of all `case`s in these words, in order; those of a `case` within an arm are in its body.
pub(crate) fn arms(words: &[Word]) -> Vec<Arm> {
    let mut arms = Vec::new();
    let mut at = 0;
    while at < words.len() {
        // `case WORD in`
        if words[at].is("case") && words.get(at + 2).is_some_and(|word| word.is("in")) {
            at = arms_of(words, at + 3, &mut arms);
        } else {
            at += 1;
        }
    }
    arms
}

/// The arms of the `case` whose first arm begins at `at`; returns where it ends.
fn arms_of(words: &[Word], mut at: usize, arms: &mut Vec<Arm>) -> usize {
    while at < words.len() {
        if words[at].is("esac") {
            return at + 1;
        }
        let open = |word: &Word| word.is("\n") || word.is("(");
        if open(&words[at]) {
            at += 1;
            continue;
        }
        let end = (at..words.len())
            .find(|&n| words[n].is(")"))
            .unwrap_or(words.len());
        let patterns = words[at..end].iter().filter(|word| !word.is("|"));
        let patterns = patterns.map(|word| word.text.clone()).collect();
        let begin = (end + 1).min(words.len());
        let end = end_of_arm(words, begin);
        arms.push(Arm {
            patterns,
            body: words[begin..end].to_vec(),
        });
        at = end + usize::from(words.get(end).is_some_and(|word| word.is(";;")));
    }
    at
}

/// Where the arm ends whose body begins at `at`: at its `;;`, or at the `esac` of its `case`.
fn end_of_arm(words: &[Word], at: usize) -> usize {
    let mut depth = 0_usize;
    for (n, word) in words.iter().enumerate().skip(at) {
        if word.is("case") {
            depth += 1;
        } else if word.is("esac") {
            if depth == 0 {
                return n;
            }
            depth -= 1;
        } else if word.is(";;") && depth == 0 {
            return n;
        }
    }
    words.len()
}

/// A command line as words, as `docker_cmd` and the like have it; none: a quote is not closed, or it is more than one command.
pub(crate) fn command(text: &str) -> Option<Vec<String>> {
    let quotes = |quote: char| text.matches(quote).count().is_multiple_of(2);
    let plain = text.len() <= 4096 && !text.chars().any(char::is_control) && quotes('"') && quotes('\'');
    let words = words(text);
    let one = words.iter().all(|word| {
        !["\n", ";;", ";", "(", ")", "|", "&"]
            .iter()
            .any(|operator| word.is(operator))
    });
    (plain && one).then(|| words.into_iter().map(|word| word.text).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(words: &[Word]) -> Vec<&str> {
        words.iter().map(|word| word.text.as_str()).collect()
    }

    #[test]
    fn words_are_split_where_a_shell_splits_them() {
        let found = words("a \"b c\"d 'e;;f' # g\n\\\nh\\ i;j;;(k)|l#m \"\" 'n");
        assert_eq!(
            texts(&found),
            [
                "a", "b cd", "e;;f", "\n", "h i", ";", "j", ";;", "(", "k", ")", "|", "l#m", "", "n"
            ]
        );
        assert_eq!(texts(&words("\"a\\\"b$C\"")), ["a\"b$C"]);
        assert!(words("").is_empty());
    }

    const SCRIPT: &str = r#"
other() { case "$1" in x) echo no ;; esac
}
build() {
    case "$kind" in
        "")  # the default
            args=("http://localhost:$PORT" --raw "$DIR/a.raw,$DIR/b.raw")
            ;;
        one|two)
            case "$x" in y) echo ";;" ;; *) echo z; esac
            more ;;
        *) fail "unknown '$kind'"
    esac
    case "$again" in (last) end;; esac
}
after() { case a in b) c;; esac
}
"#;

    #[test]
    fn the_arms_of_a_case_are_found_with_their_bodies() {
        let words = words(SCRIPT);
        let found = arms(function(&words, "build"));
        let patterns: Vec<Vec<&str>> = found
            .iter()
            .map(|arm| arm.patterns.iter().map(String::as_str).collect())
            .collect();
        assert_eq!(patterns, [vec![""], vec!["one", "two"], vec!["*"], vec!["last"]]);
        assert!(texts(&found[0].body).contains(&"http://localhost:$PORT"));
        assert!(texts(&found[1].body).contains(&"more") && !texts(&found[1].body).contains(&"fail"));
        assert_eq!(texts(&found[3].body), ["end"]);
        assert!(function(&words, "none").is_empty());
        assert_eq!(arms(function(&words, "other")).len(), 1);
    }

    #[test]
    fn a_script_that_is_cut_off_is_read_to_its_end() {
        for end in 0..SCRIPT.len() {
            let words = words(&SCRIPT[..end]);
            arms(function(&words, "build"));
            arms(&words);
        }
    }

    #[test]
    fn commands_are_words_and_nothing_else() {
        let of = |text| command(text);
        assert_eq!(
            of("/app/x --a 'b c'"),
            Some(["/app/x", "--a", "b c"].map(str::to_owned).to_vec())
        );
        assert_eq!(of(""), Some(vec![]));
        for text in ["a; b", "a && b", "a | b", "a 'b", "$(a)", "a\nb", "a\u{1b}"] {
            assert_eq!(of(text), None, "{text:?}");
        }
    }
}
