// The tunes of every game, on the marimba: notes are semitones above its A, one after another.

export function tunes({ strike, tune }) {
  return {
    turn: (at = 0) => tune("note", at + 0.25, 0.13, 0.5, 7, 12),
    good: (at = 0) => tune("note", at, 0.045, 0.4, 0, 4, 7, 12),
    bad: (at = 0) => {
      strike("knock", at, -4, 0.5);
      tune("note", at, 0.06, 0.45, -6, -9, -12);
    },
    neutral: (at = 0) => tune("note", at, 0.045, 0.4, -5, 2),
    victory: (at = 0) => {
      tune("note", at, 0.11, 0.4, 0, 4, 7, 12, 7, 12);
      tune("note", at + 0.66, 0, 0.35, 4, 7, 12, 16);
    },
    over: (at = 0) => tune("note", at, 0.16, 0.4, 7, 4, 0),
  };
}
