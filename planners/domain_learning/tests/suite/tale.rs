//! A tale, what is known of its words, how people label them, and a check of domains.

use anytime::{Fault, Path, fault};
use domain_learning::Domain;

/// A planner of stories that knows two rules: believabilities are in \[0, 1\], and no goal is
/// reached by one actor.
pub(crate) fn check(domain: &Domain) -> Vec<Fault> {
    let numbers = domain.tables.iter().flat_map(|table| &table.entries);
    let wrong = numbers.filter(|(_, number)| !(0.0..=1.0).contains(number));
    let range = |entity: &str| {
        let at = Path::root("tables");
        fault!("OUT_OF_RANGE", at, "have no believability of {}", entity)
    };
    let mut found: Vec<_> = wrong.map(|(entity, _)| range(entity)).collect();
    if domain.types[0].entities.len() < 2 {
        let goals = Path::root("goals");
        let never = |goal| fault!("NEVER_HOLDS", goals.index(goal), "can never hold");
        found.extend((0..domain.goals.len()).map(never));
    }
    found
}

pub(crate) const TALE: &str = include_str!("../texts/tale.txt");

/// What is known of some of its words; not of Bram, Velden, the thief and the miller.
pub(crate) const RELATIONS: &str = "# relation\thead\ttail
IsA\tking\tmale person
IsA\tqueen\tfemale ruler
IsA\tprincess\tperson
CapableOf\tking\trule a country
CapableOf\tsoldier\tfight
IsA\tsoldier\tjob
IsA\tthief\tperson
Desires\tthief\tmoney
IsA\tbrother\trelative
UsedFor\tsword\tfight
IsA\tsword\tweapon
IsA\tknife\tweapon
UsedFor\tknife\tcut
UsedFor\tlamp\tlight
AtLocation\tlamp\ttable
ReceivesAction\tcrown\twear
MadeOf\tcrown\tgold
UsedFor\tpurse\tcarry money
IsA\tpurse\tcontainer
/a/x\t/r/AtLocation\t/c/en/king/n\t/c/en/castle\t{}
/a/y\t/r/IsA\t/c/fr/roi\t/c/fr/personne\t{}
AtLocation\tprince\tcastle
AtLocation\ttree\tforest
AtLocation\tbear\tforest
AtLocation\tflower\tgarden
IsA\tgarden\tplace
IsA\ttower\tbuilding
AtLocation\tbell\ttower
IsA\tmill\tbuilding
IsA\thut\tbuilding
";

pub(crate) const LABELS: &str = r#"{
 "actor": ["bram", "king", "queen", "thief", "soldier", "princess"],
 "item": ["crown", "sword", "knife", "purse"], "place": ["castle", "forest", "garden", "absent"]}"#;

/// A few nouns in the form of WordNet 3.0's `data.noun`, with offsets of our own.
pub(crate) const NOUNS_DATA: &str = "  1 A licence stands here.
00000001 03 n 01 entity 0 000 | all there is
00000002 03 n 01 location 0 001 @ 00000001 n 0000 | where
00000003 03 n 02 artifact 0 artefact 0 001 @ 00000001 n 0000 | made
00000004 06 n 01 structure 1 002 @ 00000003 n 0000 ~ 00000005 n 0000 | built
00000005 06 n 01 house 0 001 @ 00000004 n 0000 | to live in
00000006 06 n 01 area 0 001 @ 00000004 n 0000 | a part
00000007 06 n 01 room 0 001 @ 00000006 n 0000 | within walls
00000008 06 n 01 lamp 0 001 @ 00000003 n 0000 | it shines
00000009 18 n 0a king 0 b 0 c 0 d 0 e 0 f 0 g 0 h 0 i 0 j 0 001 @ 00000001 n 0000 | a ruler
00000010 14 n 01 house 1 001 @ 00000001 n 0000 | a company
";

pub(crate) const NOUNS_INDEX: &str = "  1 A licence stands here.
area n 1 1 @ 1 0 00000006  \n\
house n 2 1 @ 2 1 00000005 00000010  \n\
king n 1 1 @ 1 1 00000009  \n\
lamp n 1 1 @ 1 0 00000008  \n\
location n 1 1 @ 1 1 00000002  \n\
room n 1 1 @ 1 1 00000007  \n\
structure n 1 2 @ ~ 1 1 00000004  \n\
zebra n 1 1 @ 1 0 00000001  \n";
