"""Dispatches a strategy and a narrative, tick by tick, by what others do meanwhile.

Usage: dispatch.py [HOST:PORT [SEED]]. With the printed seed others take as long again.
"""

import random
import sys

from stratagem import Client, methods
from stratagem.v1 import NarrativePolicy, TemporalDispatchableNetwork

SECOND = 10**6
NEVER = sys.maxsize
Window = tuple[int, int]
Times = dict[str, int]


def window(event: str, dispatch: TemporalDispatchableNetwork, happened: Times) -> Window | None:
    """When an event of ours may happen, in microseconds from the origin. None: it has to wait."""
    earliest, latest = 0, NEVER
    for wait in dispatch.waits:
        if wait.event_id == event and wait.until_event_id not in happened:
            if wait.from_event_id not in happened:
                return None
            earliest = max(earliest, happened[wait.from_event_id] + wait.duration.ToMicroseconds())
    for bound in dispatch.bounds:
        us = bound.bound.ToMicroseconds()
        if bound.from_event_id == event:
            if bound.to_event_id in happened:
                earliest = max(earliest, happened[bound.to_event_id] - us)
            elif us < 0:  # the other event comes first; a bound of 0 is no wait
                return None
        elif bound.to_event_id == event and bound.from_event_id in happened:
            latest = min(latest, happened[bound.from_event_id] + us)
    return earliest, latest


def shared_window(event: str, policies: list[NarrativePolicy], happened: Times) -> Window | None:
    """The window that all possible policies have: it opens with the last, closes with the first."""
    windows = [window(event, policy.dispatch, happened) for policy in policies]
    known = [one for one in windows if one is not None]
    if not known or len(known) < len(windows):
        return None
    return max(opens for opens, _ in known), min(closes for _, closes in known)


def still_possible(policy: NarrativePolicy, picks: dict[str, str], durations: Times) -> bool:
    """`picks` has options by choice, `durations` microseconds of contingent links that ended."""
    agree = all(picks.get(pick.choice_id, pick.option_id) == pick.option_id for pick in policy.picks)
    outcomes = {it.link_id: it for it in policy.outcomes}
    return agree and all(
        outcomes[link].lower.ToMicroseconds() <= took <= outcomes[link].upper.ToMicroseconds()
        for link, took in durations.items()
        if link in outcomes
    )


def deliver(client: Client) -> None:
    """A courier rides for 10 to 20 minutes, and the innkeeper lights a lamp in time."""
    network = client.call(methods.GetExample, {"name": "temporal/delivery"}).problem.temporal
    request = {"problem": network, "levels": ["TEMPORAL_CONTROLLABILITY_LEVEL_DYNAMIC"]}
    (finding,) = client.call(methods.CheckControllability, request, timeout=1).findings
    happened, ride = {"origin": 0}, random.randint(600, 1200)
    for now in range(0, 3600 * SECOND, SECOND):
        if "leave" in happened and now == happened["leave"] + ride * SECOND:
            happened["arrive"] = now
        for event in sorted({"leave", "lamp-lit", "hand-over"} - happened.keys()):
            times = window(event, finding.dispatch, happened)
            if times and times[0] <= now:
                happened[event] = now
    early = (happened["arrive"] - happened["lamp-lit"]) // SECOND
    assert -180 <= early <= 300
    print(f"the lamp is lit {early} s before the courier arrives; allowed are -180 to 300")


def beat_the_dragon(client: Client) -> None:
    """Three methods to beat a dragon, by how long the players search it; `how` is our choice."""
    dragon = client.call(methods.GetExample, {"name": "narrative/dragon"}).problem.narrative
    plan = client.call(methods.ScheduleNarrative, {"problem": dragon}, timeout=2).plan
    links, policies = dragon.contingent_links, list(plan.policies)
    players = {it.id: random.randint(it.lower.seconds, it.upper.seconds) * SECOND for it in links}
    picks: dict[str, str] = {}
    durations: Times = {}
    happened = {"quest-given": 0}
    for now in range(0, 9000 * SECOND, SECOND):
        for link in links:
            begun = happened.get(link.from_event_id)
            if begun is not None and now == begun + players[link.id]:
                happened[link.to_event_id], durations[link.id] = now, players[link.id]
        if "dragon-found" in happened and "how" not in picks:
            possible = [one for one in policies if still_possible(one, picks, durations)]
            picks["how"] = possible[0].picks[0].option_id
        policies = [one for one in policies if still_possible(one, picks, durations)]
        common = set.intersection(*({it.event_id for it in one.ranges} for one in policies))
        for event in sorted(common - happened.keys() - {link.to_event_id for link in links}):
            times = shared_window(event, policies, happened)
            if times and times[0] <= now:
                happened[event] = now
    home = happened["back-home"] // SECOND
    assert 4200 <= home <= 8100
    print(f"home after {home} s by {picks['how']}; allowed are 4200 to 8100")


def main(address: str = "127.0.0.1:50051", seed: str = "") -> None:
    """Dispatches both; the seed decides what others do."""
    seed = seed or str(random.randrange(10**6))
    print("seed", seed)
    random.seed(seed)
    with Client(address) as client:
        deliver(client)
        beat_the_dragon(client)


if __name__ == "__main__":
    main(*sys.argv[1:])
