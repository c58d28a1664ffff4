//! Real moves compared with the optimum, found by trying everything.

use super::ship::ship;
use super::small::{enumerated, routes, small};
use crate::rules;
use anytime::Pulse;
use crew::compare::{Least, NotCompared, compare};
use crew::problem::{DAMAGE_MAX_MICRO, TIME_MAX_US};
use crew::{Limit, Move, Params, Problem, Role, Spec, fronts};
use proptest::prelude::*;

fn unstopped() -> Pulse {
    Pulse::unbounded()
}

/// The least time within this damage, and the least damage within this time.
fn least_of(points: impl Iterator<Item = (u64, u64)> + Clone, within: (u64, u64)) -> Option<Least> {
    let fits = points.filter(|it| it.0 <= within.0 && it.1 <= within.1);
    Some(Least {
        time_us: fits.clone().map(|it| it.0).min()?,
        damage_micro: fits.map(|it| it.1).min()?,
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    #[test]
    fn what_could_have_been_is_what_trying_everything_finds(
        spec in small(),
        idle in proptest::collection::vec(0..3_u64, 3),
        which in any::<prop::sample::Index>(),
    ) {
        // Whatever anybody may do is somebody's move.
        let free = Spec {
            time_max_us: TIME_MAX_US,
            damage_max: Limit::Within(DAMAGE_MAX_MICRO),
            ..spec.clone()
        };
        let problem = Problem::new(free.clone()).unwrap();
        let plan = fronts(&problem, &Params { ties_max: 3, ..Params::default() });
        let points = plan.events[0].iter().flat_map(|front| &front.points);
        let all = points.flat_map(|point| std::iter::once(&point.roles).chain(&point.others));
        let all: Vec<&Vec<Role>> = all.collect();
        prop_assume!(!all.is_empty());
        let roles = all[which.index(all.len())];
        let moves: Vec<Move> = roles.iter().zip(&idle).map(|(role, idle_us)| Move {
            role: role.clone(),
            idle_us: *idle_us,
        }).collect();
        // The limits of the problem do not count.
        let given = Problem::new(spec.clone()).unwrap();
        let found = compare(&given, 0, &moves, &unstopped()).unwrap();
        let within = (found.time_us, found.damage_micro);
        let size = moves.len();
        let of = |size: usize| enumerated(&free, size).into_keys().collect::<Vec<_>>();
        prop_assert_eq!(Some(found.same_number), least_of(of(size).into_iter(), within));
        let sizes = 1..=spec.events[0].efforts.len();
        let any: Vec<_> = sizes.flat_map(of).collect();
        prop_assert_eq!(Some(found.any_number), least_of(any.into_iter(), within));
        let effort = spec.events[0].efforts[size - 1];
        let (mut time, mut damage) = (0, 0);
        for (it, mover) in moves.iter().zip(&found.movers) {
            let all = routes(&free, it.role.player, it.role.tool, 0);
            let own = (mover.time_us, mover.damage_micro);
            prop_assert_eq!(Some(mover.least), least_of(all.iter().copied(), own));
            let left = (within.0 - effort.time_us, within.1 - effort.damage_micro);
            let best = least_of(all.iter().copied(), left).unwrap();
            time = time.max(best.time_us);
            damage = damage.max(best.damage_micro);
        }
        let same = Least {
            time_us: time + effort.time_us,
            damage_micro: damage + effort.damage_micro,
        };
        prop_assert_eq!(found.same_roles, same);
        prop_assert!(found.any_number.time_us <= found.same_number.time_us);
        prop_assert!(found.same_number.time_us <= found.same_roles.time_us);
        prop_assert!(found.same_roles.time_us <= found.time_us);
    }
}

#[test]
fn impossible_moves_are_refused() {
    let problem = Problem::new(ship(Limit::Below(2_000))).unwrap();
    let walk = |fetch: &[usize], carry: &[usize]| Move {
        role: Role {
            player: 0,
            tool: 0,
            fetch: fetch.to_vec(),
            carry: carry.to_vec(),
        },
        idle_us: 0,
    };
    let wrong = |moves: &[Move]| match compare(&problem, 0, moves, &unstopped()) {
        Err(NotCompared::Wrong(faults)) => rules(&faults),
        other => panic!("{other:?}"),
    };
    let good = walk(&[0, 2, 4, 3, 1, 20], &[20, 19, 18]);
    assert!(compare(&problem, 0, std::slice::from_ref(&good), &unstopped()).is_ok());
    assert_eq!(wrong(&[]), [("TOO_MANY", String::new())]);
    let taken = [("DUPLICATE", "[1].role".into())];
    assert_eq!(wrong(&[good.clone(), good]), taken);
    let jumps = walk(&[0, 20], &[20, 19, 18]);
    assert_eq!(wrong(&[jumps]), [("STEP_IMPOSSIBLE", "[0].role".into())]);
}
