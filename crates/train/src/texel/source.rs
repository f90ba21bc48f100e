//! Writes tuned weights back into the source file they came from. Only numbers change: comments and layout stay.

use anyhow::{Context, Result, bail};
use engine::eval::weights::{TABLES, TEMPO, Table, WEIGHTS};

/// The longest line of the source.
const WIDTH: usize = 120;

/// The source with new numbers; the last pair is the tempo bonus. A source that holds other numbers than the ones that
/// were tuned is refused, since the result would mix the two.
pub fn rewrite(source: &str, weights: &[[i32; 2]]) -> Result<String> {
    let mut text = source.to_owned();
    for table in TABLES {
        let head = format!("{} {:?} {} = [", table.name, table.group, table.len);
        let start = text.find(&head).with_context(|| format!("the source has no line \"{head}\""))?;
        let length = text[start..].find("];").with_context(|| format!("{} has no end", table.name))?;
        let body = &text[start + head.len()..start + length];
        let old: Vec<[i32; 2]> = own(table).collect();
        if read_pairs(body).as_deref() != Some(&old) {
            bail!("{} in the source is not what this laboratory was built with", table.name);
        }
        let new = weights.get(table.start..table.start + table.len).context("there are too few weights")?;
        let statement = wrapped(&head, &replace_pairs(body, new));
        text.replace_range(start..start + length, &statement);
    }
    let tempo = weights.get(WEIGHTS.len()).context("there are too few weights")?[0];
    let old = format!("pub const TEMPO: i32 = {TEMPO};");
    if !text.contains(&old) {
        bail!("the source has no line \"{old}\"");
    }
    Ok(text.replace(&old, &format!("pub const TEMPO: i32 = {tempo};")))
}

/// The engine's current numbers of a table.
fn own(table: &Table) -> impl Iterator<Item = [i32; 2]> {
    let weights = WEIGHTS.iter().skip(table.start).take(table.len);
    weights.map(|weight| [weight.middle(), weight.end()])
}

fn read_pairs(body: &str) -> Option<Vec<[i32; 2]>> {
    let pairs = body.split('(').skip(1).map(|piece| {
        let (middle, end) = piece.split_once(')')?.0.split_once(',')?;
        Some([middle.trim().parse().ok()?, end.trim().parse().ok()?])
    });
    pairs.collect()
}

/// Replaces the old pairs with new ones.
fn replace_pairs(body: &str, new: &[[i32; 2]]) -> String {
    let mut pieces = body.split('(');
    let mut text = pieces.next().unwrap_or_default().to_owned();
    for (piece, [middle, end]) in pieces.zip(new) {
        let after = piece.split_once(')').map_or("", |(_, after)| after);
        text += &format!("({middle}, {end}){after}");
    }
    text
}

/// A statement without its end, rewrapped if it has become too wide.
fn wrapped(head: &str, body: &str) -> String {
    let indent = 4;
    let whole = format!("{head}{body}");
    if whole.lines().enumerate().all(|(number, line)| line.len() + if number == 0 { indent + 2 } else { 0 } <= WIDTH) {
        return whole;
    }
    let mut text = head.to_owned();
    let mut column = WIDTH;
    for pair in body.split_inclusive(')').filter(|piece| piece.contains('(')) {
        let pair = pair.trim_start_matches([',', ' ', '\n']);
        if column + pair.len() + 2 > WIDTH {
            text = text.trim_end().to_owned() + "\n        ";
            column = 8;
        }
        text += &format!("{pair}, ");
        column += pair.len() + 2;
    }
    text.trim_end().to_owned() + "\n    "
}

/// The changes, table by table, for people: old numbers and new.
#[must_use]
pub fn difference(weights: &[[i32; 2]]) -> String {
    let line = |mark: char, pairs: &mut dyn Iterator<Item = [i32; 2]>| {
        let pairs: Vec<_> = pairs.map(|[middle, end]| format!("({middle}, {end})")).collect();
        format!("  {mark} {}\n", pairs.join(", "))
    };
    let mut text = String::new();
    for table in TABLES {
        let new = || weights.iter().copied().skip(table.start).take(table.len);
        if !own(table).eq(new()) {
            text += &format!("{}\n{}{}", table.name, line('-', &mut own(table)), line('+', &mut new()));
        }
    }
    match weights.get(WEIGHTS.len()) {
        Some(&[tempo, _]) if tempo != TEMPO => text + &format!("TEMPO\n  - {TEMPO}\n  + {tempo}\n"),
        _ => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SOURCE: &str = include_str!("../../../engine/src/eval/weights.rs");

    fn own_weights() -> Vec<[i32; 2]> {
        TABLES.iter().flat_map(own).chain([[TEMPO, 0]]).collect()
    }

    #[test]
    fn the_same_numbers_leave_the_source_alone() {
        assert_eq!(rewrite(SOURCE, &own_weights()).expect("the source"), SOURCE);
        assert_eq!(difference(&own_weights()), "");
    }

    #[test]
    fn other_numbers_change_nothing_but_numbers() {
        let new: Vec<[i32; 2]> = own_weights().iter().map(|[middle, end]| [middle * 3 - 1000, end - 2000]).collect();
        let text = rewrite(SOURCE, &new).expect("the source");
        let words = |text: &str| -> String {
            text.chars().filter(|letter| !letter.is_ascii_digit() && !"- \n,".contains(*letter)).collect()
        };
        assert_eq!(words(&text), words(SOURCE));
        let mut code = text.lines().filter(|line| !line.contains("//"));
        assert!(code.all(|line| line.len() <= WIDTH), "lines stay within bounds");
        for table in TABLES {
            let start = text.find(&format!("{} {:?} {} = [", table.name, table.group, table.len)).expect(table.name);
            let body = text[start..].split_once("];").expect("an end").0.split_once('[').expect("a beginning").1;
            let wanted = &new[table.start..table.start + table.len];
            assert_eq!(read_pairs(body).as_deref(), Some(wanted), "{}", table.name);
        }
        assert!(text.contains(&format!("pub const TEMPO: i32 = {};", new[WEIGHTS.len()][0])));
        assert!(difference(&new).contains("BISHOP_PAIR\n  - ("));
        assert!(rewrite(&text, &new).expect_err("other numbers").to_string().contains("not what this laboratory"));
        assert!(rewrite("", &new).is_err());
    }
}
