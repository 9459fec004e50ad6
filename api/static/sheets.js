// Sheets that rise from the bottom edge: correct a disc, add one, begin a new match.

import { closeUp } from "./board.js";
import { byId, html } from "./dom.js";
import { placeName, sideMark, sideName } from "./words.js";

const sheet = byId("sheet");
sheet.addEventListener("click", (event) => event.target === sheet && sheet.close());

function open(title, ...content) {
  sheet.replaceChildren(
    html(
      "div",
      { class: "sheet-body" },
      html(
        "div",
        { class: "sheet-head" },
        html("h2", { id: "sheet-title" }, title),
        html("button", { type: "button", class: "quiet", "aria-label": "Close", onclick: () => sheet.close() }, "✕"),
      ),
      ...content,
    ),
  );
  if (!sheet.open) sheet.showModal();
}

const choice = (attributes, act, ...content) =>
  html(
    "button",
    {
      type: "button",
      ...attributes,
      onclick: () => {
        sheet.close();
        act();
      },
    },
    ...content,
  );

export const closeSheet = () => sheet.close();

const WIDE_MM = 5; // no call is in doubt for a line this far off

function whyInDoubt(disc, nearLine) {
  if (disc.place === "20") return "one picture cannot tell a disc in the hole from a painted floor";
  return disc.margin_mm < WIDE_MM ? nearLine : "it shows only in part, or hardly stands out";
}

// `correct.place(name)`, `correct.side(side)` and `correct.remove()` are called with what the person says.
export function openDisc(match, reading, disc, places, correct) {
  const other = 1 - disc.side;
  const nearLine = `${disc.margin_mm.toFixed(1)} mm from counting as ${disc.otherwise}`;
  open(
    html("span", { class: "disc-title" }, sideMark(match, disc.side), `${sideName(match, disc.side)}, ${placeName(disc.place)}`),
    closeUp(reading, disc.centre_px, disc.radius_px, disc.doubtful),
    html("p", { class: "note" }, disc.by_hand ? "Set by hand." : disc.doubtful ? `In doubt: ${whyInDoubt(disc, nearLine)}.` : `${nearLine}.`),
    html(
      "div",
      { class: "places", role: "group", "aria-label": "Where it counts" },
      places
        .filter((place) => place !== "off")
        .map((place) =>
          choice(
            { "aria-pressed": String(place === disc.place), "data-place": place },
            () => correct.place(place),
            placeName(place),
          ),
        ),
    ),
    html(
      "div",
      { class: "pair" },
      choice({ "data-act": "other-side" }, () => correct.side(other), sideMark(match, other), `It is ${sideName(match, other)}`),
      choice({ class: "danger", "data-act": "remove" }, correct.remove, "No disc here"),
    ),
  );
}

export function openAdd(match, reading, point, add) {
  const radius = reading.discs[0]?.radius_px ?? reading.width / 60;
  open(
    "Add a disc here?",
    closeUp(reading, point, radius, true),
    html(
      "div",
      { class: "pair" },
      [0, 1].map((side) => choice({ "data-add": String(side) }, () => add(side), sideMark(match, side), sideName(match, side))),
    ),
  );
}

export function openNewMatch(match, begin) {
  const field = (side) =>
    html("input", { name: `name${side}`, maxlength: "24", autocomplete: "off", placeholder: sideName({ ...match, sides: match.sides.map((s) => ({ ...s, name: null })) }, side), value: match.sides[side].name ?? "" });
  const fields = [field(0), field(1)];
  open(
    "New match",
    html("p", { class: "note" }, "The score starts at 0 – 0. Sides without a name go by their colour."),
    html(
      "form",
      {
        onsubmit: (event) => {
          event.preventDefault();
          sheet.close();
          begin(fields.map((input) => input.value.trim() || null));
        },
      },
      fields.map((input, side) => html("label", {}, sideMark(match, side), html("span", { class: "sr" }, `Name of side ${side + 1}`), input)),
      html("button", { class: "primary", "data-act": "begin" }, "Start"),
    ),
  );
}
