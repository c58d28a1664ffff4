//! Groups of a narrative, each by itself or a few of them together, with nodes, links and choices
//! under the same indices.

use super::{Narrative, Node, ORIGIN, Picks, STRANDS_MAX, Spec, check, storylines};
use anytime::Fault;

/// The groups of a narrative; none where there is one story, or where more than resources connects
/// groups.
pub(super) fn groups(spec: &Spec) -> Vec<usize> {
    if spec.groups.is_empty() {
        return Vec::new();
    }
    let mut all = spec.groups.clone();
    all.sort_unstable();
    all.dedup();
    let of = |node: Node| (node != ORIGIN).then(|| spec.groups[node - 1]);
    let alike = |one: Node, other: Node| match (of(one), of(other)) {
        (Some(one), Some(other)) => one == other,
        _ => true,
    };
    let mut links = spec.links.iter().map(|link| (link.from, link.to));
    let mut lasting = spec.contingent.iter().map(|link| (link.from, link.to));
    let mut activities = spec.activities.iter().map(|given| (given.start, given.end));
    let are_apart = links.all(|(from, to)| alike(from, to))
        && lasting.all(|(from, to)| alike(from, to))
        && activities.all(|(start, end)| alike(start, end))
        && spec.choices.iter().all(|choice| {
            let mut events = choice.options.iter().flatten();
            let first = events.next().copied().unwrap_or(ORIGIN);
            events.all(|event| alike(first, *event))
        });
    // The first choice of a group comes up whatever is picked: so picks say whose they are.
    let choosing = spec.choices.iter().filter_map(|choice| {
        let event = choice.options.iter().flatten().next()?;
        of(*event)
    });
    let choosing: Vec<usize> = choosing.collect();
    if are_apart && all.len() > 1 && all.iter().all(|group| choosing.contains(group)) {
        all
    } else {
        Vec::new()
    }
}

impl Narrative {
    /// The groups that live through it, where only resources connect them and each has a choice;
    /// none where there is one story.
    #[must_use]
    pub fn groups(&self) -> &[usize] {
        &self.groups
    }

    /// The group of a node; `None`: it is the origin, or there are no groups.
    #[must_use]
    pub fn group_of(&self, node: Node) -> Option<usize> {
        match node {
            ORIGIN => None,
            event => self.spec.groups.get(event - 1).copied(),
        }
    }

    /// Whether a node is part of it, whatever is picked: not those of groups that are left out.
    #[must_use]
    pub fn contains(&self, node: Node) -> bool {
        self.included.as_ref().is_none_or(|here| here[node])
    }

    /// The group of a choice; `None`: it has no events, or there are no groups.
    #[must_use]
    pub(crate) fn group_of_choice(&self, choice: usize) -> Option<usize> {
        let mut events = self.spec.choices[choice].options.iter().flatten();
        self.group_of(*events.next()?)
    }

    /// The groups of which some choice is picked, sorted.
    #[must_use]
    pub fn groups_of(&self, picks: &[Option<usize>]) -> Vec<usize> {
        let named = (0..self.spec.choices.len().min(picks.len())).filter(|at| picks[*at].is_some());
        let mut groups: Vec<usize> = named.filter_map(|at| self.group_of_choice(at)).collect();
        groups.sort_unstable();
        groups.dedup();
        groups
    }

    /// What is picked of the choices of a group.
    #[must_use]
    pub(crate) fn picks_of(&self, picks: &[Option<usize>], group: usize) -> Picks {
        let picks = picks.iter().enumerate();
        let own = picks
            .map(|(choice, pick)| pick.filter(|_| self.group_of_choice(choice) == Some(group)));
        own.collect()
    }

    /// The story of some groups alone: the same events, links, activities and choices, of which
    /// those of others are not part of it. Its storylines are what these groups pick, and nothing
    /// for choices of others: the strands of a single one. None where these are too many.
    #[must_use]
    pub fn restricted_to(&self, groups: &[usize]) -> Self {
        let is_here = |node: Node| {
            let group = self.group_of(node);
            group.is_none_or(|group| groups.contains(&group))
        };
        let included: Vec<bool> = (0..self.nodes()).map(is_here).collect();
        let groups = match groups {
            [_] => Vec::new(),
            several => several.to_vec(),
        };
        Self {
            storylines: storylines(&self.spec, Some(&included)).unwrap_or_default(),
            groups,
            included: Some(included),
            spec: self.spec.clone(),
        }
    }

    /// The same part of a changed narrative.
    ///
    /// # Errors
    /// All reasons why it is invalid, and that the part has more than
    /// [`STORYLINES_MAX`](super::STORYLINES_MAX) storylines.
    pub(crate) fn with_spec(&self, spec: Spec) -> Result<Self, Vec<Fault>> {
        let faults = check::faults(&spec);
        if !faults.is_empty() {
            return Err(faults);
        }
        match storylines(&spec, self.included.as_deref()) {
            Some(storylines) => Ok(Self {
                storylines,
                groups: self.groups.clone(),
                included: self.included.clone(),
                spec,
            }),
            None => Err(vec![check::too_many_storylines(&spec)]),
        }
    }

    /// What a strand of each of these groups picks together.
    #[must_use]
    pub fn merge_picks(one: &[Option<usize>], other: &[Option<usize>]) -> Picks {
        let picks = one.iter().zip(other);
        picks.map(|(one, other)| one.or(*other)).collect()
    }

    /// Whether there are groups, and each by itself has few enough storylines.
    pub(super) fn has_few_strands(&self) -> bool {
        let strands = self.groups.iter().map(|group| {
            let alone = self.restricted_to(&[*group]);
            Some(alone.storylines.len()).filter(|strands| *strands > 0)
        });
        let all: Option<usize> = strands.sum();
        all.is_some_and(|all| all > 0 && all <= STRANDS_MAX)
    }
}
