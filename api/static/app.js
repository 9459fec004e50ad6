// Puts the page together: what the service says is drawn, what a person does is sent.

import { drawBoard } from "./board.js";
import { byId, html } from "./dom.js";
import { drawRound, drawRounds, drawScore, winnerText } from "./match.js";
import { follow, requestName, send, sendPhoto } from "./service.js";
import { closeSheet, openAdd, openDisc, openNewMatch } from "./sheets.js";
import { takesText } from "./words.js";

let state = null;
let busy = false;
let sending = null; // the share of a photo that has been sent, while one is on its way

const NEAR_BOARD = 1.1;

function showTrouble(message) {
  byId("trouble").hidden = !message;
  byId("trouble").querySelector("p").textContent = message ?? "";
}

// Runs one thing a person asked for. While it runs the buttons rest, so that an impatient second tap does nothing.
async function act(task) {
  if (busy) return;
  busy = true;
  showTrouble(null);
  draw();
  try {
    await task();
    state = await send("GET", "/state");
  } catch (error) {
    showTrouble(error.message);
  } finally {
    busy = false;
    sending = null;
    draw();
  }
}

const reading = () => state.reading;
const onReading = (method, path, body) => act(() => send(method, `/photos/${reading().id}${path}`, body));

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
  act(() =>
    sendPhoto(file, state.upload_limit_bytes, (share) => {
      sending = share;
      drawProgress();
    }),
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
  const open = reading() && !reading().counted;
  const over = match.winner !== null;
  const [takeButton, countButton, undoButton] = [byId("take"), byId("count"), byId("undo")];
  takeButton.textContent = open ? "Retake" : "Take picture";
  takeButton.className = open || over ? "" : "primary";
  takeButton.disabled = busy;
  countButton.replaceChildren(
    html("span", {}, open || !reading() ? "Count this round" : "Counted"),
    open ? html("small", {}, reading().wins === null ? takesText(match, reading().round) : `${takesText(match, reading().round)}, and wins`) : "",
  );
  countButton.className = open && !over ? "primary" : "";
  countButton.disabled = busy || !open || over;
  undoButton.setAttribute("aria-label", match.rounds.length ? `Undo round ${match.rounds.length}` : "Undo");
  undoButton.disabled = busy || match.demo || match.rounds.length === 0;
  byId("choose").disabled = busy;
  byId("swap").disabled = busy || !open;
  byId("new-match").disabled = busy;
  byId("new-match").className = over ? "quiet strong" : "quiet";
}

function draw() {
  if (!state) return;
  const { match } = state;
  const focused = document.activeElement?.dataset?.disc;
  byId("demo").hidden = !(match.demo && reading());
  byId("winner").hidden = match.winner === null;
  byId("winner").textContent = winnerText(match);
  drawScore(byId("score"), match);
  drawBoard(byId("board"), match, reading(), tapDisc, tapBoard);
  drawProgress();
  drawRound(byId("round"), match, reading(), (side, discs) => onReading("PUT", `/set-aside/${side}`, { discs }));
  drawRounds(byId("rounds"), match);
  drawActions();
  if (focused) byId("board").querySelector(`[data-disc="${focused}"]`)?.focus();
}

byId("take").addEventListener("click", () => byId("camera").click());
byId("choose").addEventListener("click", () => byId("library").click());
byId("camera").addEventListener("change", take);
byId("library").addEventListener("change", take);
byId("count").addEventListener("click", () =>
  act(() => send("POST", "/match/rounds", { reading: reading().id, request: requestName() })),
);
byId("undo").addEventListener("click", () =>
  act(() => send("POST", "/match/undo", { round: state.match.rounds.length, request: requestName() })),
);
byId("swap").addEventListener("click", () => onReading("POST", "/swap"));
byId("new-match").addEventListener("click", () =>
  openNewMatch(state.match, (names) => act(() => send("POST", "/match", { names, request: requestName() }))),
);
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
