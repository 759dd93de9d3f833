use capnp::Result;
use inputs::{Hits, Job, Random};

use crate::jobs_capnp::{search_result, search_results};
use crate::modes::Exchange;

/// Search results, sorted after cats and dogs were looked for in them.
pub struct Catrank;

impl Exchange for Catrank {
    type Request = search_results::Owned;
    type Response = search_results::Owned;

    fn ask(input: usize, request: search_results::Builder<'_>) -> Result<()> {
        let mut random = Random::new(Job::Catrank, input);
        let mut hits = Hits::new(&mut random);
        let mut results = request.init_results(hits.count());
        for i in 0..hits.count() {
            let hit = hits.next();
            let mut result = results.reborrow().get(i);
            result.set_score(hit.score);
            result.set_url(hit.url);
            result.set_snippet(hit.snippet);
        }
        Ok(())
    }

    fn serve(request: search_results::Reader<'_>, response: search_results::Builder<'_>) -> Result<()> {
        let results = request.get_results()?;
        let mut scored = Vec::with_capacity(results.len() as usize);
        for result in results {
            scored.push((score(result)?, result));
        }
        scored.sort_unstable_by(|(a, _), (b, _)| b.total_cmp(a));
        let mut ranked = response.init_results(scored.len() as u32);
        for (i, (score, result)) in (0..).zip(scored) {
            let mut to = ranked.reborrow().get(i);
            to.set_score(score);
            to.set_url(result.get_url()?);
            to.set_snippet(result.get_snippet()?);
        }
        Ok(())
    }

    fn answer(response: search_results::Reader<'_>) -> Result<u64> {
        let mut fold = 0_u32;
        for result in response.get_results()? {
            let url = result.get_url()?.as_bytes();
            let last = u32::from(url.last().copied().unwrap_or(0));
            let texts = 7 * url.len() as u32 + last + result.get_snippet()?.len() as u32;
            let score = result.get_score() as i64 as u32;
            fold = fold.wrapping_mul(31).wrapping_add(score).wrapping_add(texts);
        }
        Ok(u64::from(fold))
    }
}

fn score(result: search_result::Reader<'_>) -> Result<f64> {
    let mut score = result.get_score();
    let snippet = result.get_snippet()?.to_str()?;
    if snippet.contains(" cat ") {
        score += 10000.0;
    }
    if snippet.contains(" dog ") {
        score -= 10000.0;
    }
    Ok(score)
}
