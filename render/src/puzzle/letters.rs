//! Letters of three by five pixels, for pictures that have nothing but pixels.

/// Columns of a letter, and of the gap after it.
pub(super) const ADVANCE: usize = 4;
/// Rows of a letter, and of the gap below it.
pub(super) const LINE: usize = 7;
/// Columns and rows of a letter.
const SIDES: (usize, usize) = (3, 5);

/// What each character looks like: a digit for each row, from 0 to 7, its bits from left to right.
const LETTERS: [(char, &[u8; 5]); 53] = [
    ('0', b"75557"),
    ('1', b"26227"),
    ('2', b"71747"),
    ('3', b"71717"),
    ('4', b"55711"),
    ('5', b"74717"),
    ('6', b"74757"),
    ('7', b"71122"),
    ('8', b"75757"),
    ('9', b"75717"),
    ('A', b"25755"),
    ('B', b"65656"),
    ('C', b"34443"),
    ('D', b"65556"),
    ('E', b"74647"),
    ('F', b"74644"),
    ('G', b"34553"),
    ('H', b"55755"),
    ('I', b"72227"),
    ('J', b"11152"),
    ('K', b"55655"),
    ('L', b"44447"),
    ('M', b"57755"),
    ('N', b"65555"),
    ('O', b"25552"),
    ('P', b"65644"),
    ('Q', b"25573"),
    ('R', b"65655"),
    ('S', b"34216"),
    ('T', b"72222"),
    ('U', b"55557"),
    ('V', b"55552"),
    ('W', b"55775"),
    ('X', b"55255"),
    ('Y', b"55222"),
    ('Z', b"71247"),
    (' ', b"00000"),
    ('.', b"00002"),
    (',', b"00024"),
    (':', b"02020"),
    (';', b"02024"),
    ('-', b"00700"),
    ('_', b"00007"),
    ('+', b"02720"),
    ('=', b"07070"),
    ('*', b"05250"),
    ('/', b"11244"),
    ('(', b"12221"),
    (')', b"42224"),
    ('#', b"57575"),
    ('%', b"51245"),
    ('\'', b"22000"),
    ('!', b"22202"),
];

/// What stands for any other character.
const UNKNOWN: &[u8; 5] = b"71202";

/// Columns and rows of a text's dark pixels, from its top left. Small letters are drawn as
/// capitals.
pub(super) fn dark(text: &str) -> impl Iterator<Item = (usize, usize)> {
    text.chars().enumerate().flat_map(|(index, character)| {
        let capital = character.to_ascii_uppercase();
        let known = LETTERS.iter().find(|(letter, _)| *letter == capital);
        let rows = known.map_or(UNKNOWN, |(_, rows)| rows);
        let is_dark = move |x: usize, y: usize| (rows[y] - b'0') >> (SIDES.0 - 1 - x) & 1 == 1;
        let all = (0..SIDES.1).flat_map(|y| (0..SIDES.0).map(move |x| (x, y)));
        all.filter(move |&(x, y)| is_dark(x, y))
            .map(move |(x, y)| (index * ADVANCE + x, y))
    })
}

#[cfg(test)]
mod tests {
    use super::{LETTERS, UNKNOWN, dark};

    #[test]
    fn every_letter_has_rows_of_three_pixels_and_looks_like_no_other() {
        for (index, (letter, rows)) in LETTERS.iter().enumerate() {
            assert!(
                rows.iter().all(|row| (b'0'..=b'7').contains(row)),
                "{letter}"
            );
            assert!(*rows != UNKNOWN);
            for (other, same) in &LETTERS[..index] {
                assert!(rows != same && letter != other, "{letter} {other}");
            }
        }
    }

    #[test]
    fn letters_stand_beside_each_other() {
        let drawn: Vec<(usize, usize)> = dark("l.").collect();
        // An L, and a dot at its foot, one column further than the gap.
        let wanted = [
            (0, 0),
            (0, 1),
            (0, 2),
            (0, 3),
            (0, 4),
            (1, 4),
            (2, 4),
            (5, 4),
        ];
        assert_eq!(drawn, wanted);
    }
}
