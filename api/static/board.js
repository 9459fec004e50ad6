// The photograph with what was read drawn over it; a tap on a disc or on the bare board is reported.

import { html, svg } from "./dom.js";
import { isLight, markPath, placeName, sideColour, sideName } from "./words.js";

const FINGER_PX = 24;
const DITCH_SHARE = 1.22;

// The part of the photograph to show: the board with its ditch, square where the picture allows it.
function boardFrame(reading) {
  const points = Object.values(reading.board.lines_px).flat();
  const [xs, ys] = [0, 1].map((axis) => points.map((point) => point[axis]));
  const [left, right, top, bottom] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
  const side = Math.max(right - left, bottom - top) * DITCH_SHARE;
  const width = Math.min(side, reading.width);
  const height = Math.min(side, reading.height);
  const x = Math.min(Math.max((left + right - width) / 2, 0), reading.width - width);
  const y = Math.min(Math.max((top + bottom - height) / 2, 0), reading.height - height);
  return { x, y, width, height };
}

const photograph = (reading) =>
  svg("image", { href: reading.picture, width: reading.width, height: reading.height, preserveAspectRatio: "none" });

// The same element for the same photograph, so that a correction does not make it flash.
let held = null;
function heldPhotograph(reading) {
  if (held?.getAttribute("href") !== reading.picture) held = photograph(reading);
  return held;
}

const outline = (points) => svg("polygon", { class: "line", points: points.map((p) => p.join()).join(" ") });

export function discInWords(match, disc) {
  const doubt = disc.doubtful ? ", in doubt" : "";
  return `${sideName(match, disc.side)} disc, ${placeName(disc.place)}, ${disc.margin_mm.toFixed(1)} mm from ${placeName(disc.otherwise)}${doubt}`;
}

function ring(match, disc) {
  const [x, y] = disc.centre_px;
  const r = disc.radius_px * 1.18;
  const colour = sideColour(match, disc.side);
  const light = isLight(colour);
  const size = disc.radius_px * 0.75;
  const parts = [
    svg("circle", { class: light ? "casing dark" : "casing", cx: x, cy: y, r }),
    svg("circle", { class: "ring", cx: x, cy: y, r, stroke: colour }),
    svg(
      "text",
      { class: light ? "place on-light" : "place", x, y, "font-size": disc.radius_px * (disc.place.length > 2 ? 0.62 : 0.95) },
      disc.place,
    ),
    svg("path", {
      class: light ? "badge on-light" : "badge",
      d: markPath(disc.side),
      fill: colour,
      transform: `translate(${x - r * 0.75 - size / 2} ${y - r * 0.95 - size / 2}) scale(${size / 12})`,
    }),
  ];
  if (disc.doubtful) {
    const [bx, by, br] = [x + r * 0.8, y - r * 0.8, disc.radius_px * 0.52];
    parts.push(
      svg("circle", { class: "doubt", cx: bx, cy: by, r: br }),
      svg("text", { class: "doubt-sign", x: bx, y: by, "font-size": br * 1.6 }, "?"),
    );
  }
  return parts;
}

// Draws the reading into `place`. `onDisc(disc)` and `onBoard([x, y])` hear of taps, in pixels of the photograph.
export function drawBoard(place, match, reading, onDisc, onBoard) {
  if (!reading) {
    place.replaceChildren(
      html(
        "div",
        { class: "empty" },
        html("strong", {}, "Take a picture when the round is over."),
        html("span", {}, "The whole board in it, from as high above as you can reach."),
      ),
    );
    return;
  }
  const frame = boardFrame(reading);
  const picture = svg(
    "svg",
    { viewBox: `${frame.x} ${frame.y} ${frame.width} ${frame.height}`, role: "group", "aria-label": "Discs on the board" },
    heldPhotograph(reading),
    Object.values(reading.board.lines_px).map(outline),
    reading.discs.map((disc) =>
      svg(
        "g",
        {
          class: disc.doubtful ? "disc doubtful" : "disc",
          role: "button",
          tabindex: reading.counted ? null : "0",
          "aria-label": discInWords(match, disc),
          "data-disc": disc.id,
          onkeydown: (event) => (event.key === "Enter" || event.key === " ") && (event.preventDefault(), onDisc(disc)),
        },
        ring(match, disc),
      ),
    ),
  );
  picture.addEventListener("click", (event) => {
    const hit = event.target.closest("[data-disc]");
    if (hit) return onDisc(reading.discs.find((disc) => String(disc.id) === hit.dataset.disc));
    const at = new DOMPoint(event.clientX, event.clientY).matrixTransform(picture.getScreenCTM().inverse());
    const finger = FINGER_PX / picture.getScreenCTM().a;
    const [near] = reading.discs
      .map((disc) => ({ disc, away: Math.hypot(disc.centre_px[0] - at.x, disc.centre_px[1] - at.y) }))
      .filter(({ disc, away }) => away < Math.max(disc.radius_px * 1.3, finger))
      .sort((a, b) => a.away - b.away);
    return near ? onDisc(near.disc) : onBoard([at.x, at.y]);
  });
  place.replaceChildren(picture);
}

// The neighbourhood of one point of the photograph, enlarged, with the lines and perhaps one disc's rim.
export function closeUp(reading, [x, y], radius, dashed) {
  const reach = radius * 3.2;
  return svg(
    "svg",
    { class: "close-up", viewBox: `${x - reach} ${y - reach * 0.5} ${reach * 2} ${reach}`, "aria-hidden": "true" },
    photograph(reading),
    Object.values(reading.board.lines_px).map(outline),
    svg("circle", { class: dashed ? "rim dashed" : "rim", cx: x, cy: y, r: radius }),
  );
}
