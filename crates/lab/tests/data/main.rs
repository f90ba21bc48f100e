//! Files of games: the format against an independent reader, and the commands as real processes that are killed and resumed.

mod commands;
mod format;
mod room;
