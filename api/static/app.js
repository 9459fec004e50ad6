// Puts the page together: what the service says is drawn, what a person does is sent.

import { drawBoard } from "./board.js";
import { byId, html } from "./dom.js";
import { drawRound, drawRounds, drawScore, winnerText } from "./match.js";
import { follow, requestName, send, sendPhoto } from "./service.js";
import { closeSheet, openAdd, openDisc, openNewMatch } from "./sheets.js";
import { takesText } from "./words.js";

let state = null;
let deciding = false;
let queue = Promise.resolve();
let sending = null; // the share of a photo that has been sent, while one is on its way

const NEAR_BOARD = 1.1;

function showTrouble(message) {
  byId("trouble").hidden = !message;
  byId("trouble").querySelector("p").textContent = message ?? "";
}

// Does one thing a person asked for, and shows what came of it.
async function perform(task) {
  showTrouble(null);
  try {
    await task();
    state = await send("GET", "/state");
  } catch (error) {
    showTrouble(error.message);
  }
  draw();
}

// One thing after another, in the order tapped: quick fingers lose nothing and overtake nothing.
function act(task) {
  queue = queue.then(() => perform(task));
  return queue;
}

// The same for what must not happen twice: until it is done the buttons rest.
async function decide(task) {
  deciding = true;
  draw();
  await act(task);
  deciding = false;
  draw();
}

const reading = () => state.reading;

function onReading(method, path, body) {
  const { id } = reading();
  act(() => send(method, `/photos/${id}${path}`, body));
}

function setAside(side, step) {
  const { id } = reading();
  act(async () => {
    const discs = reading()?.set_aside[side] + step;
    if (reading()?.id === id && discs >= 0 && discs <= 12) await send("PUT", `/photos/${id}/set-aside/${side}`, { discs });
  });
}

function tapDisc(disc) {
  if (reading().counted && !state.match.demo) return showTrouble("This round is counted. Undo it to correct it.");
  return openDisc(state.match, reading(), disc, state.places, {
    place: (place) => onReading("PATCH", `/pieces/${disc.id}`, { place }),
    side: (side) => onReading("PATCH", `/pieces/${disc.id}`, { side }),
    remove: () => onReading("DELETE", `/pieces/${disc.id}`),
  });
}

function tapBoard(point) {
  const [cx, cy] = reading().board.centre_px;
  const reach = Math.max(...Object.values(reading().board.lines_px).flat().map(([x, y]) => Math.hypot(x - cx, y - cy)));
  if (reading().counted || Math.hypot(point[0] - cx, point[1] - cy) > reach * NEAR_BOARD) return;
  openAdd(state.match, reading(), point, (side) => onReading("POST", "/pieces", { side, centre_px: point }));
}

function take(event) {
  const [file] = event.target.files;
  event.target.value = "";
  if (!file) return;
  sending = 0;
  draw();
  perform(() =>
    sendPhoto(file, state.upload_limit_bytes, (share) => {
      sending = share;
      drawProgress();
    }).finally(() => (sending = null)),
  );
}

function drawProgress() {
  const board = byId("board");
  board.querySelector(".progress")?.remove();
  if (sending === null && state.being_read === 0) return;
  const onTheWay = sending !== null && sending < 1;
  board.append(
    html(
      "div",
      { class: "progress", role: "status" },
      html("span", {}, onTheWay ? `Sending the picture, ${Math.round(sending * 100)} %` : "Reading the board…"),
      html("progress", onTheWay ? { max: "1", value: String(sending) } : {}),
    ),
  );
}

function drawActions() {
  const { match } = state;
  const busy = deciding || sending !== null;
  const over = match.reason !== null;
  const open = reading() && !reading().counted;
  const [takeButton, countButton, undoButton] = [byId("take"), byId("count"), byId("undo")];
  takeButton.textContent = open && !over ? "Retake" : "Take picture";
  takeButton.className = open || over ? "" : "primary";
  takeButton.disabled = busy;
  countButton.replaceChildren(...countWords(match, open, over));
  countButton.className = open || over ? "primary" : "";
  countButton.disabled = busy || !(over || (open && reading().round));
  undoButton.setAttribute("aria-label", match.rounds.length ? `Undo round ${match.rounds.length}` : "Undo");
  undoButton.disabled = busy || match.demo || match.rounds.length === 0;
  byId("choose").disabled = busy;
  byId("swap").disabled = busy || !open;
  byId("new-match").disabled = busy;
}

function countWords(match, open, over) {
  if (over) return ["New match"];
  if (!open) return [reading() ? "Counted" : "Count"];
  const { round, wins } = reading();
  const takes = round ? takesText(match, round) : "";
  return ["Count this round", html("small", {}, wins === null ? takes : `${takes}, and wins`)];
}

function count() {
  if (state.match.reason !== null) return newMatch();
  const { id } = reading();
  return decide(() => send("POST", "/match/rounds", { reading: id, request: requestName() }));
}

function newMatch() {
  openNewMatch(state.match, (names) => decide(() => send("POST", "/match", { names, request: requestName() })));
}

// Draws a part of the page anew only when what it shows has changed: a part replaced under a finger loses the tap.
const shown = new Map();
function redraw(id, inputs, drawPart) {
  const key = JSON.stringify(inputs);
  if (shown.get(id) === key) return;
  shown.set(id, key);
  const focused = document.activeElement?.dataset?.disc;
  drawPart(byId(id));
  if (focused) byId(id).querySelector(`[data-disc="${focused}"]`)?.focus();
}

function draw() {
  if (!state) return;
  const { match } = state;
  byId("demo").hidden = !(match.demo && reading());
  byId("winner").hidden = match.reason === null;
  byId("winner").textContent = winnerText(match);
  redraw("score", match, (place) => drawScore(place, match));
  redraw("board", [match.sides, reading()], (place) => drawBoard(place, match, reading(), tapDisc, tapBoard));
  redraw("round", [match, reading()], (place) =>
    drawRound(place, match, reading(), setAside),
  );
  redraw("rounds", match, (place) => drawRounds(place, match));
  drawProgress();
  drawActions();
}

byId("take").addEventListener("click", () => byId("camera").click());
byId("choose").addEventListener("click", () => byId("library").click());
byId("camera").addEventListener("change", take);
byId("library").addEventListener("change", take);
byId("count").addEventListener("click", count);
byId("undo").addEventListener("click", () => {
  const round = state.match.rounds.length;
  decide(() => send("POST", "/match/undo", { round, request: requestName() }));
});
byId("swap").addEventListener("click", () => onReading("POST", "/swap"));
byId("new-match").addEventListener("click", newMatch);
byId("trouble").querySelector("button").addEventListener("click", () => showTrouble(null));

follow(
  (next) => {
    const before = state?.reading?.id;
    state = next;
    if (before !== next.reading?.id) closeSheet();
    draw();
  },
  (healthy) => {
    byId("stale").hidden = healthy;
  },
);
