//! Calls until the time is over.

use super::call::Work;
use super::figures::{Figures, Sample};
use super::pace::{Next, Pace};
use crate::connect::Channel;
use std::sync::Arc;
use std::time::Duration;
use stratagem_proto::v1::SolveOptions;
use stratagem_render::time::from_micros;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tokio::time::{Instant, interval, sleep_until, timeout};
use tonic::Code;

/// Time after its deadline for which a call is still awaited.
const PATIENCE: Duration = Duration::from_secs(1);

/// When the next call is made.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Drive {
    /// Open loop: calls at random moments, this mean number a second, whether or not others are
    /// answered.
    Rate(f64),
    /// Closed loop: this number of callers, each calls again when it is answered. Measures
    /// capacity.
    Callers(usize),
}

/// A load.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Load {
    /// Times of calls.
    pub drive: Drive,
    /// Time in which new calls are made.
    pub duration: Duration,
    /// Warm-up, whose calls are not counted.
    pub warm_up: Duration,
}

/// Contents of calls.
pub struct Calls {
    /// Open connections, used in turn.
    pub channels: Vec<Channel>,
    /// What is sent.
    pub works: Arc<[Work]>,
    /// Options of searches; the budget is drawn for each call, the seed rises by 1.
    pub options: SolveOptions,
    /// Random times and choices.
    pub pace: Pace,
}

/// Makes the calls of a load; `show` is called each second with the results so far.
pub async fn run(
    calls: &mut Calls,
    load: Load,
    mut show: impl FnMut(Duration, &Figures),
) -> Figures {
    let (sender, receiver) = unbounded_channel();
    let begin = Instant::now();
    let mut under_way = UnderWay {
        calls,
        load,
        begin,
        sender,
        sent: 0,
        open: 0,
    };
    let mut figures = Figures::default();
    under_way.go(receiver, &mut figures, &mut show).await;
    let until = begin.elapsed().min(load.duration);
    figures.counted_s = until.saturating_sub(load.warm_up).as_secs_f64();
    figures
}

/// A load that is being made.
struct UnderWay<'a> {
    calls: &'a mut Calls,
    load: Load,
    begin: Instant,
    sender: UnboundedSender<(bool, Sample)>,
    sent: u64,
    open: usize,
}

impl UnderWay<'_> {
    async fn go(
        &mut self,
        mut receiver: UnboundedReceiver<(bool, Sample)>,
        figures: &mut Figures,
        show: &mut impl FnMut(Duration, &Figures),
    ) {
        let end = self.begin + self.load.duration;
        let mut next = self.begin;
        let rate = match self.load.drive {
            Drive::Rate(rate) => Some(rate),
            Drive::Callers(callers) => {
                (0..callers).for_each(|_| self.send(self.begin));
                None
            }
        };
        let mut ticks = interval(Duration::from_secs(1));
        ticks.tick().await;
        let mut interrupt = Box::pin(tokio::signal::ctrl_c());
        loop {
            let open = !figures.interrupted && Instant::now() < end;
            if !open && self.open == 0 {
                return;
            }
            tokio::select! {
                biased;
                _ = &mut interrupt, if !figures.interrupted => figures.interrupted = true,
                Some((counts, sample)) = receiver.recv() => {
                    self.open -= 1;
                    if counts {
                        figures.add(&sample);
                    }
                    if open && rate.is_none() {
                        self.send(Instant::now());
                    }
                }
                () = sleep_until(next), if open && rate.is_some() => {
                    self.send(next);
                    next += self.calls.pace.gap(rate.unwrap_or(1.0));
                }
                _ = ticks.tick() => show(self.begin.elapsed(), figures),
            }
        }
    }

    /// Sends the next call, which should have been sent at `due`.
    fn send(&mut self, due: Instant) {
        let Next { work, deadline } = self.calls.pace.draw();
        let turn = usize::try_from(self.sent).unwrap_or(0) % self.calls.channels.len();
        let options = SolveOptions {
            time_budget: Some(from_micros(deadline.as_micros() as i64)),
            ..self.calls.options.clone()
        };
        // Another seed, another answer: nothing is taken from the server's table of answers, also
        // not in a load that follows.
        self.calls.options.seed = options.seed.wrapping_add(1);
        self.sent += 1;
        self.open += 1;
        let channel = self.calls.channels[turn].clone();
        let works = self.calls.works.clone();
        let sender = self.sender.clone();
        let limit = deadline + PATIENCE;
        let counts = due.duration_since(self.begin) >= self.load.warm_up;
        tokio::spawn(async move {
            let sent = Instant::now();
            let call = works[work].send(channel, options);
            let answer = timeout(limit, call).await;
            let sample = Sample {
                deadline,
                took: sent.elapsed(),
                behind: sent.duration_since(due),
                answer: answer.unwrap_or(Err(Code::DeadlineExceeded)),
            };
            // The receiver has ended.
            let _ = sender.send((counts, sample));
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::connect::Bearer;
    use crate::input::Kind;
    use stratagem_proto::v1::AllocationProblem;
    use tonic::service::interceptor::InterceptedService;
    use tonic::transport::Endpoint;

    #[tokio::test]
    async fn no_call_has_the_seed_of_another_nor_does_one_of_the_next_load() {
        // Bound and dropped: nobody listens there, so that each call fails at once.
        let nobody = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        let address = format!("http://{}", nobody.local_addr().unwrap());
        drop(nobody);
        let channel = Endpoint::from_shared(address).unwrap().connect_lazy();
        let problem = Kind::Allocation(AllocationProblem::default());
        let deadline = Duration::from_millis(25);
        let mut calls = Calls {
            channels: vec![InterceptedService::new(channel, Bearer::default())],
            works: [Work::new(&problem)].into(),
            options: SolveOptions {
                seed: 5,
                ..SolveOptions::default()
            },
            pace: Pace::new(1, deadline..=deadline, 1),
        };
        // Each caller calls once: then the time is over.
        let load = Load {
            drive: Drive::Callers(3),
            duration: Duration::ZERO,
            warm_up: Duration::ZERO,
        };
        for seed in [8, 11] {
            let figures = run(&mut calls, load, |_, _| {}).await;
            assert_eq!((figures.calls, calls.options.seed), (3, seed));
        }
    }
}
