//! Work on several things at the same time.

use std::sync::Mutex;
use std::thread;

/// Calls `work` on each item, on at most `limit` threads; returns the results in the order of the items.
pub fn map<T: Send, R: Send>(limit: usize, items: Vec<T>, work: impl Fn(T) -> R + Sync) -> Vec<R> {
    let threads = limit.min(items.len());
    let queue = Mutex::new(items.into_iter().enumerate());
    let next = || queue.lock().expect("no thread panics while it holds this").next();
    let worker = || {
        let mut done = Vec::new();
        while let Some((index, item)) = next() {
            done.push((index, work(item)));
        }
        done
    };
    let mut all: Vec<(usize, R)> = thread::scope(|scope| {
        let workers: Vec<_> = (0..threads).map(|_| scope.spawn(worker)).collect();
        let join = |worker: thread::ScopedJoinHandle<'_, _>| worker.join().expect("the work does not panic");
        workers.into_iter().flat_map(join).collect()
    });
    all.sort_by_key(|(index, _)| *index);
    all.into_iter().map(|(_, result)| result).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Barrier;
    use std::sync::atomic::{AtomicUsize, Ordering};

    #[test]
    fn results_are_in_the_order_of_the_items() {
        let items: Vec<usize> = (0..50).collect();
        for limit in [1, 4, 100] {
            let doubled = map(limit, items.clone(), |item| 2 * item);
            assert_eq!(doubled, items.iter().map(|item| 2 * item).collect::<Vec<_>>());
        }
        assert!(map(4, Vec::<u8>::new(), |item| item).is_empty());
    }

    #[test]
    fn as_many_as_allowed_are_at_work_at_once_and_no_more() {
        // Each item waits until three are at work, which would never be with fewer threads.
        let together = Barrier::new(3);
        let (now, most) = (AtomicUsize::new(0), AtomicUsize::new(0));
        map(3, vec![(); 6], |()| {
            most.fetch_max(now.fetch_add(1, Ordering::SeqCst) + 1, Ordering::SeqCst);
            together.wait();
            now.fetch_sub(1, Ordering::SeqCst);
        });
        assert_eq!(most.into_inner(), 3);
    }
}
