use crate::Random;

const SITE: &str = "http://example.com/";
const PHRASES: [&str; 16] = [
    "the brook ran on ",
    "a catkin fell ",
    "under dogma ",
    "two larks rose ",
    "moss grew ",
    "scatter the seed ",
    "by the pebble shore ",
    "reeds bent low ",
    "no bobcat, only rain ",
    "hotdog stands closed ",
    "fern and stone ",
    "the wind turned ",
    "nobody spoke ",
    "category of clouds ",
    "late light ",
    "an endogenous murmur ",
];

/// One search result, before it is in any message.
pub struct Hit<'a> {
    pub url: &'a str,
    pub snippet: &'a str,
    pub score: f64,
}

/// The search results of one input, one after the other in the same two buffers.
pub struct Hits<'r> {
    random: &'r mut Random,
    count: u32,
    factor: u32,
    offset: u32,
    made: u32,
    url: String,
    snippet: String,
}

impl<'r> Hits<'r> {
    pub fn new(random: &'r mut Random) -> Self {
        let count = 1 + random.below(1000);
        let factor = 1 + random.below(1008);
        let offset = random.below(1009);
        let (url, snippet) = (String::with_capacity(128), String::with_capacity(512));
        Self {
            random,
            count,
            factor,
            offset,
            made: 0,
            url,
            snippet,
        }
    }

    pub fn count(&self) -> u32 {
        self.count
    }

    pub fn next(&mut self) -> Hit<'_> {
        let score = f64::from((self.factor * self.made + self.offset) % 1009);
        self.made += 1;
        self.make_url();
        let shape = self.random.next();
        self.snippet.clear();
        self.snippet.push(' ');
        self.phrases(shape & 7);
        if (shape >> 9) & 7 == 0 {
            self.snippet.push_str("cat ");
        }
        self.phrases(shape >> 3 & 7);
        if (shape >> 12) & 7 == 0 {
            self.snippet.push_str("dog ");
        }
        self.phrases(shape >> 6 & 7);
        Hit {
            url: &self.url,
            snippet: &self.snippet,
            score,
        }
    }

    fn make_url(&mut self) {
        self.url.clear();
        self.url.push_str(SITE);
        for _ in 0..1 + self.random.below(12) {
            let word = self.random.next();
            let digits: [u8; 8] =
                std::array::from_fn(|k| b"0123456789abcdef"[(word >> (28 - 4 * k)) as usize & 15]);
            self.url.extend(digits.map(char::from));
        }
    }

    fn phrases(&mut self, count: u32) {
        let choices = self.random.next();
        for k in 0..count {
            self.snippet.push_str(PHRASES[(choices >> (4 * k)) as usize & 15]);
        }
    }
}
