// What sides, places and rounds are called, and the mark each side has beside its colour.

import { svg } from "./dom.js";

const MARKS = ["M8 1a7 7 0 1 0 0 14a7 7 0 1 0 0-14z", "M8 .5L15.5 8L8 15.5L.5 8z"];
const UNSEEN = ["#2f6fb5", "#c8742b"];

const capital = (word) => word.charAt(0).toUpperCase() + word.slice(1);

export const sideName = (match, side) =>
  match.sides[side].name ?? (match.sides[side].colour ? capital(match.sides[side].colour) : `Side ${side + 1}`);

export const sideColour = (match, side) => match.sides[side].rgb ?? UNSEEN[side];

// A dot for the one side, a diamond for the other: nobody has to tell colours apart.
export const sideMark = (match, side) =>
  svg(
    "svg",
    { class: "mark", viewBox: "-1 -1 18 18", "aria-hidden": "true" },
    svg("path", { d: MARKS[side], fill: sideColour(match, side) }),
  );

export const markPath = (side) => MARKS[side];

export const placeName = (place) => capital(place);

export const isLight = (rgb) => {
  const [r, g, b] = [1, 3, 5].map((at) => parseInt(rgb.slice(at, at + 2), 16));
  return 0.299 * r + 0.587 * g + 0.114 * b > 140;
};

// Who takes how much of a round. By some rules both sides take something.
export function takesText(match, round) {
  const takers = [0, 1].filter((side) => round.takes[side] > 0);
  if (takers.length === 2) return `+${round.takes[0]} and +${round.takes[1]}`;
  const [side] = takers;
  return side === undefined ? "No points" : `${sideName(match, side)} +${round.takes[side]}`;
}
