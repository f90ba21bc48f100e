//! What the network expects before any search: how far its value may be off, and which moves will be played.

use chess::{Color, Move, Position};
use engine::chances::{NETWORK, Scale};
use engine::{Network, SearchScore, eval};
use serde::Serialize;

use super::said::{Claim, Kind, Sentence};
use crate::annotate::judge::{Eval, win_percent};
use crate::people::words;

/// The network is sure if its value may be off by less than the first of these, and unsure from the second on. They are
/// points of the winning chances, because a pawn more or less means little in a decided game. In an even game the first
/// is a quarter of a pawn, and moves that close are called equally good; the second is half a pawn, and a value that far
/// off does not pass the truth check.
const SURE: f64 = 2.5;
const UNSURE: f64 = 5.0;

/// From this probability on a move is expected, and not just one among many.
const EXPECTED: f64 = 0.25;
/// A move is a surprise if another is more than this many times as probable.
const SURPRISE: f64 = 4.0;

/// What the network expects in a position.
pub(super) struct Forecast<'a> {
    position: &'a Position,
    found: eval::Forecast,
}

impl<'a> Forecast<'a> {
    /// The forecast of this network; without a network, or if it has not learned to forecast, there is nothing to say.
    pub(super) fn new(position: &'a Position, network: Option<&Network>) -> Forecast<'a> {
        let found = network.map(|network| eval::forecast(position.board(), network)).unwrap_or_default();
        Forecast { position, found }
    }

    /// How sure the network is of its value.
    pub(super) fn confidence(&self) -> Option<Sentence> {
        let BandView { low, value, high } = self.band()?;
        let off = [low, high].map(|end| (end.cp - value.cp).abs()).into_iter().max()?;
        let percent = |reading: Reading| win_percent(Eval::Centipawns(reading.cp));
        let points = [low, high].map(|end| (percent(end) - percent(value)).abs()).into_iter().fold(0.0, f64::max);
        let number = value.text();
        let verdict = if points < SURE {
            format!("The network is sure of its value ({number})")
        } else if points < UNSURE {
            format!("The network is fairly sure of its value ({number})")
        } else {
            format!("The network is unsure of its value ({number}), which may well be {} off", words::about_pawns(off))
        };
        let text =
            format!("{verdict}: three times out of five a short search finds {} to {}.", low.text(), high.text());
        let claim = Claim::Between { position: self.position.clone(), low: low.cp, high: high.cp };
        Some(Sentence::new(Kind::Confidence, text, claim))
    }

    /// Whether the network expected this move; nothing if there was no choice.
    pub(super) fn of_move(&self, mv: Move) -> Option<Sentence> {
        let (&(favourite, most), chance) = (self.choices()?.first()?, self.found.chance(mv)?);
        let (san, likely) = (self.position.san(mv), percent(chance));
        let (other, likelier) = (self.position.san(favourite), percent(most));
        let text = if chance >= most && chance >= EXPECTED {
            format!("The network expected {san} ({likely}).")
        } else if chance >= most {
            format!("To the network no move seemed likelier than {san} ({likely}).")
        } else if chance * SURPRISE >= most {
            format!("The network expected {other} ({likelier}) rather than {san} ({likely}).")
        } else {
            format!("The network did not expect {san}: it gave the move {likely} and {other} {likelier}.")
        };
        Some(Sentence::exact(Kind::Expected, text))
    }

    /// What the network expects of the position, and of the best move unless that is what it expects most.
    pub(super) fn sentences(&self, best: Move) -> Vec<Sentence> {
        let mut said: Vec<Sentence> = self.confidence().into_iter().collect();
        let Some(&[(favourite, _), ..]) = self.choices() else { return said };
        let moves =
            self.found.expected().map(|(mv, chance)| format!("{} ({})", self.position.san(mv), percent(chance)));
        let moves: Vec<String> = moves.collect();
        if !moves.is_empty() {
            let text = format!("The moves the network expects most are {}.", words::list(&moves));
            said.push(Sentence::exact(Kind::Expected, text));
        }
        said.extend(self.of_move(best).filter(|_| best != favourite));
        said
    }

    /// The moves with their probabilities, if there is a choice.
    fn choices(&self) -> Option<&[(Move, f64)]> {
        (self.found.moves.len() > 1).then_some(&self.found.moves)
    }

    /// The same for programs; none if there is nothing to say.
    pub(super) fn view(&self) -> Option<ForecastView> {
        let moves = self.found.expected().map(|(mv, chance)| MoveView {
            san: self.position.san(mv),
            uci: mv.uci(!self.position.is_classical_castling()),
            percent: (1000.0 * chance).round() / 10.0,
        });
        let view = ForecastView { band: self.band(), moves: moves.collect() };
        (view.band.is_some() || !view.moves.is_empty()).then_some(view)
    }

    fn band(&self) -> Option<BandView> {
        let scale = Scale::new(NETWORK, self.position.board());
        let reading = |score: SearchScore| Reading::new(score, &scale);
        self.found.band.map(|band| BandView {
            low: reading(band.low),
            value: reading(band.value),
            high: reading(band.high),
        })
    }
}

fn percent(chance: f64) -> String {
    if chance < 0.005 { "less than 1 %".to_owned() } else { format!("{:.0} %", 100.0 * chance) }
}

/// What the network expects in a position, for programs.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub(crate) struct ForecastView {
    /// Where the value of a search lies three times out of five.
    #[serde(skip_serializing_if = "Option::is_none")]
    band: Option<BandView>,
    /// The few moves it expects most.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    moves: Vec<MoveView>,
}

/// The network's value and the band around it.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
struct BandView {
    low: Reading,
    value: Reading,
    high: Reading,
}

/// A value from White's point of view.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
struct Reading {
    cp: i32,
    /// White's expected result, in per cent.
    expected: f64,
}

impl Reading {
    fn new(score: SearchScore, scale: &Scale) -> Reading {
        let [win, draw, _] = scale.wdl(score).map(f64::from);
        Reading { cp: scale.show(score).centipawns(), expected: (win + draw / 2.0) / 10.0 }
    }

    fn text(self) -> String {
        words::score(engine::Score::Centipawns(self.cp).for_white(Color::White))
    }
}

#[derive(Clone, PartialEq, Debug, Serialize)]
struct MoveView {
    san: String,
    uci: String,
    percent: f64,
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A forecast made up for the start position.
    fn made_up(moves: &[(&str, f64)], band: Option<[i32; 3]>) -> eval::Forecast {
        let start = Position::start();
        let band = band.map(|band| {
            let [low, value, high] = band.map(SearchScore::new);
            eval::Band { low, value, high }
        });
        let moves = moves.iter().map(|&(san, chance)| (start.parse_san(san).expect(san), chance)).collect();
        eval::Forecast { band, moves }
    }

    /// A number of the search's units that is shown as this many centipawns in the start position.
    fn units(centipawns: i32) -> i32 {
        let scale = Scale::new(NETWORK, Position::start().board());
        let shown = |units: i32| scale.show(SearchScore::new(units)).centipawns();
        (-5000..5000).find(|&units| shown(units) == centipawns).expect("a number")
    }

    #[test]
    fn how_sure_the_network_is_depends_on_the_band() {
        let start = Position::start();
        let said = |band: [i32; 3]| {
            let found = made_up(&[], Some(band.map(units)));
            Forecast { position: &start, found }.confidence().expect("a band").text
        };
        assert_eq!(
            said([10, 30, 50]),
            "The network is sure of its value (+0.30): three times out of five a short search finds +0.10 to +0.50."
        );
        assert!(said([-5, 30, 60]).starts_with("The network is fairly sure of its value (+0.30): three"));
        assert_eq!(
            said([-40, 30, 85]),
            "The network is unsure of its value (+0.30), which may well be about half a pawn off: three times out of \
             five a short search finds -0.40 to +0.85."
        );
        assert!(said([-200, 30, 50]).contains("about two pawns off"), "one end is enough");
        assert!(said([850, 900, 1000]).starts_with("The network is sure"), "a pawn means little there");
    }

    #[test]
    fn moves_are_expected_or_not() {
        let start = Position::start();
        let said = |moves: &[(&str, f64)], mv: &str| {
            let forecast = Forecast { position: &start, found: made_up(moves, None) };
            forecast.of_move(start.parse_san(mv).expect(mv)).map(|sentence| sentence.text)
        };
        let moves = [("Nf3", 0.41), ("e4", 0.22), ("g3", 0.02), ("a3", 0.001)];
        let text = |mv: &str| said(&moves, mv).expect("a sentence");
        assert_eq!(text("Nf3"), "The network expected Nf3 (41 %).");
        assert_eq!(text("e4"), "The network expected Nf3 (41 %) rather than e4 (22 %).");
        assert_eq!(text("g3"), "The network did not expect g3: it gave the move 2 % and Nf3 41 %.");
        assert_eq!(text("a3"), "The network did not expect a3: it gave the move less than 1 % and Nf3 41 %.");
        let flat = said(&[("a3", 0.06), ("b3", 0.06)], "b3").expect("a sentence");
        assert_eq!(flat, "To the network no move seemed likelier than b3 (6 %).");
        assert_eq!(said(&[("e4", 1.0)], "e4"), None, "no choice");
        assert_eq!(said(&[], "e4"), None, "no policy");
        assert_eq!(said(&moves, "h4"), None, "not among them");
    }

    #[test]
    fn a_position_gets_the_moves_and_a_word_on_the_best() {
        let start = Position::start();
        let found = made_up(&[("Nf3", 0.9), ("e4", 0.096), ("g3", 0.004)], Some([0, 0, 0]));
        let forecast = Forecast { position: &start, found };
        let said = |best: &str| -> Vec<String> {
            let best = start.parse_san(best).expect(best);
            forecast.sentences(best).into_iter().map(|sentence| sentence.text).collect()
        };
        assert!(said("Nf3")[0].starts_with("The network is sure of its value (+0.00)"));
        assert_eq!(said("Nf3")[1..], ["The moves the network expects most are Nf3 (90 %) and e4 (10 %)."]);
        assert_eq!(said("g3")[2], "The network did not expect g3: it gave the move less than 1 % and Nf3 90 %.");
        let view = serde_json::to_value(forecast.view()).expect("JSON");
        assert_eq!(view["moves"][1], serde_json::json!({"san": "e4", "uci": "e2e4", "percent": 9.6}));
        assert_eq!(view["band"]["value"], serde_json::json!({"cp": 0, "expected": 50.0}));
    }

    #[test]
    fn nothing_is_said_without_a_forecast_or_without_a_game() {
        let start = Position::start();
        let e4 = start.parse_san("e4").expect("legal");
        let plain = Network::random(128, 3).expect("a network");
        for network in [None, Some(&plain)] {
            let forecast = Forecast::new(&start, network);
            assert!(forecast.sentences(e4).is_empty() && forecast.of_move(e4).is_none() && forecast.view().is_none());
        }
        let mated = Position::new("R5k1/5ppp/8/8/8/8/8/6K1 b - - 0 1".parse().expect("a board"));
        assert!(Forecast::new(&mated, Some(&plain)).view().is_none());
    }
}
