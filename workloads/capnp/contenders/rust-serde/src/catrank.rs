use std::borrow::Cow;

use inputs::{Hits, Job, Random};
use serde::{Deserialize, Serialize};

use crate::modes::Exchange;

/// Search results, sorted after cats and dogs were looked for in them.
pub struct Catrank;

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SearchResults<'a> {
    #[serde(borrow)]
    results: Vec<SearchResult<'a>>,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct SearchResult<'a> {
    #[serde(borrow)]
    url: Cow<'a, str>,
    score: f64,
    #[serde(borrow)]
    snippet: Cow<'a, str>,
}

impl Exchange for Catrank {
    type Request<'a> = SearchResults<'a>;
    type Response<'a> = SearchResults<'a>;

    fn ask(input: usize) -> SearchResults<'static> {
        let mut random = Random::new(Job::Catrank, input);
        let mut hits = Hits::new(&mut random);
        let mut results = Vec::with_capacity(hits.count() as usize);
        for _ in 0..hits.count() {
            let hit = hits.next();
            results.push(SearchResult {
                url: hit.url.to_owned().into(),
                score: hit.score,
                snippet: hit.snippet.to_owned().into(),
            });
        }
        SearchResults { results }
    }

    fn serve(mut request: Self::Request<'_>) -> Self::Response<'_> {
        for result in &mut request.results {
            if result.snippet.contains(" cat ") {
                result.score += 10000.0;
            }
            if result.snippet.contains(" dog ") {
                result.score -= 10000.0;
            }
        }
        request
            .results
            .sort_unstable_by(|a, b| b.score.total_cmp(&a.score));
        request
    }

    fn answer(response: SearchResults<'_>) -> u64 {
        let mut fold = 0_u32;
        for SearchResult { url, score, snippet } in &response.results {
            let last = u32::from(url.as_bytes().last().copied().unwrap_or(0));
            let texts = 7 * url.len() as u32 + last + snippet.len() as u32;
            fold = fold
                .wrapping_mul(31)
                .wrapping_add(*score as i64 as u32)
                .wrapping_add(texts);
        }
        u64::from(fold)
    }
}
