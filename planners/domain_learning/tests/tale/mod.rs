//! A tale, what is known of its words, how people label them, and a check of domains.

use domain_learning::{Domain, DomainMistake};

/// A planner of stories that knows two rules: believabilities are in \[0, 1\], and no goal is
/// reached by one actor.
pub(crate) fn check(domain: &Domain) -> Vec<DomainMistake> {
    let mistake = |path: String, text: &str, is_unreachable| DomainMistake {
        path,
        text: text.into(),
        is_unreachable,
    };
    let numbers = domain.tables.iter().flat_map(|table| &table.entries);
    let wrong = numbers.filter(|(_, number)| !(0.0..=1.0).contains(number));
    let mut found: Vec<_> = wrong
        .map(|(entity, _)| mistake(entity.clone(), "out of range", false))
        .collect();
    if domain.types[0].entities.len() < 2 {
        let goals = 0..domain.goals.len();
        found.extend(goals.map(|goal| mistake(format!("goals[{goal}]"), "never holds", true)));
    }
    found
}

pub(crate) const TALE: &str = r#"Bram walked from the mill to the castle. The king came from the tower and went to
the garden. The queen walked to the tower, and the thief followed her.

"Leave the castle!" said the king. The thief went to the forest. Bram ran to the forest and found the
thief in the hut. In the hut, the thief hid the crown and the purse. Bram searched the hut and found the crown.

The thief stole the crown from the king. The thief stole the purse from the queen. Bram took a knife from
the mill. The thief killed the miller with the knife. The king took the sword and went to the forest.
The king killed the thief with the sword, and Bram took the crown to the castle. The soldier arrested the
thief's brother in the hut, and sent the brother to the tower.

Bram gave the crown to the king. The queen gave Bram the purse. The king gave the sword to the soldier.
The soldier searched the tower. The queen took the lamp to the tower and searched the tower. The monarch
took a lamp. Bram married the princess in the castle. The princess played with the lamp in the garden.
The soldier went to Velden. The queen came to Velden with the purse. Bram travelled to Velden with the
princess. The king rode to Velden and took the sword.
"#;

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

pub(crate) const LABELS: &str = r#"{"actor": ["bram", "king", "queen", "thief", "soldier", "princess"],
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
00000009 18 n 0a king 0 b 0 c 0 d 0 e 0 f 0 g 0 h 0 i 0 j 0 001 @ 00000001 n 0000 | he rules
00000010 14 n 01 house 1 001 @ 00000001 n 0000 | a company
";

pub(crate) const NOUNS_INDEX: &str = "  1 A licence stands here.
area n 1 1 @ 1 0 00000006  \nhouse n 2 1 @ 2 1 00000005 00000010  \nking n 1 1 @ 1 1 00000009  \nlamp n 1 1 @ 1 0 00000008  \n\
location n 1 1 @ 1 1 00000002  \nroom n 1 1 @ 1 1 00000007  \nstructure n 1 2 @ ~ 1 1 00000004  \nzebra n 1 1 @ 1 0 00000001  \n";
