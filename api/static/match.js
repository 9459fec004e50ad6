// The score, the round that the picture would make, and the rounds played.

import { html } from "./dom.js";
import { sideMark, sideName, takesText } from "./words.js";

export function drawScore(place, match) {
  const half = (side) =>
    html(
      "div",
      { class: match.winner === side ? "half winner" : "half" },
      html("span", { class: "name" }, sideMark(match, side), html("span", {}, sideName(match, side))),
      html("span", { class: "points" }, String(match.score[side])),
    );
  place.className = Math.max(...match.score) > 99 ? "long" : "";
  place.replaceChildren(half(0), html("span", { class: "versus", "aria-hidden": "true" }, "–"), half(1));
}

export const winnerText = (match) =>
  match.winner === null
    ? match.reason ? "The match is a draw" : ""
    : `${sideName(match, match.winner)} wins, ${match.score[match.winner]} to ${match.score[1 - match.winner]}`;

const tally = (reading, side) => {
  const places = reading.discs.filter((disc) => disc.side === side).map((disc) => disc.place);
  return [...new Set(places)]
    .sort((a, b) => (Number(b) || 0) - (Number(a) || 0))
    .map((p) => `${places.filter((q) => q === p).length}×${p}`)
    .join("  ");
};

// `onSetAside(side, step)` hears of one disc more (1) or fewer (-1) that was dropped in the hole and taken off.
export function drawRound(place, match, reading, onSetAside) {
  if (!reading) return place.replaceChildren();
  const column = (side) =>
    html(
      "div",
      { class: "side" },
      html("div", { class: "sum" }, sideMark(match, side), html("b", {}, String(reading.points[side])), html("span", { class: "sr" }, `points for ${sideName(match, side)}`)),
      html("div", { class: "tally" }, tally(reading, side) || "nothing on the board"),
    );
  const counter = (side) =>
    html(
      "div",
      { class: "stepper", role: "group", "aria-label": `Twenties that ${sideName(match, side)} took off` },
      stepper(side, -1, "−", "One fewer"),
      html("output", {}, String(reading.set_aside[side])),
      stepper(side, 1, "+", "One more"),
    );
  const stepper = (side, step, sign, words) =>
    html(
      "button",
      {
        type: "button",
        "aria-label": `${words} for ${sideName(match, side)}`,
        "data-step": `${side}${step > 0 ? "+" : "-"}`,
        disabled: reading.counted || reading.set_aside[side] + step < 0 || reading.set_aside[side] + step > 12,
        onclick: () => onSetAside(side, step),
      },
      sign,
    );
  const doubtful = reading.discs.filter((disc) => disc.doubtful).length;
  const doubts = doubtful === 1 ? "1 disc in doubt" : `${doubtful} discs in doubt`;
  return place.replaceChildren(
    html(
      "h2",
      {},
      html("span", {}, reading.counted ? `Round ${match.rounds.length}, counted` : `Round ${match.rounds.length + 1}`),
      doubtful > 0 && !reading.counted
        ? html("span", { class: "doubts" }, doubts)
        : html("strong", {}, reading.round ? takesText(match, reading.round) : ""),
    ),
    reading.refused && !match.reason ? html("p", { class: "refused" }, reading.refused) : "",
    html("div", { class: "sides" }, column(0), column(1)),
    html("div", { class: "twenties" }, counter(0), html("span", {}, "20s taken off"), counter(1)),
    reading.doubts.length > 0 && !reading.counted
      ? html(
          "details",
          {},
          html("summary", {}, `What the picture left open (${reading.doubts.length})`),
          html("ul", {}, reading.doubts.map((doubt) => html("li", {}, doubt))),
        )
      : "",
  );
}

export function drawRounds(place, match) {
  if (match.rounds.length === 0) return place.replaceChildren();
  const head = (side) => html("th", { scope: "col" }, sideMark(match, side), html("span", { class: "sr" }, sideName(match, side)));
  return place.replaceChildren(
    html("h2", {}, html("span", {}, "Rounds")),
    html(
      "table",
      {},
      html("thead", {}, html("tr", {}, html("th", { scope: "col" }, "#"), head(0), head(1), html("th", { scope: "col" }, "Takes"), html("th", { scope: "col" }, "Score"))),
      html(
        "tbody",
        {},
        match.rounds
          .map((round, index) =>
            html(
              "tr",
              {},
              html("th", { scope: "row" }, String(index + 1)),
              html("td", {}, String(round.points[0])),
              html("td", {}, String(round.points[1])),
              html("td", {}, takesText(match, round)),
              html("td", {}, round.score.join("–")),
            ),
          )
          .reverse(),
      ),
    ),
  );
}
