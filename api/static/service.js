// Talks to the service: requests, uploads with their progress, and the stream of changes.

const BASE = "/api/v1";
const SILENCE_MS = 12000;

export class Problem extends Error {}

const OFFLINE = "Tallycam does not answer. Is this phone on the same network?";

// A name for one request, so that sending it twice does it once. (randomUUID needs HTTPS; this page has none.)
export const requestName = () =>
  Array.from(crypto.getRandomValues(new Uint8Array(12)), (byte) => byte.toString(16).padStart(2, "0")).join("");

export async function send(method, path, body) {
  let response;
  try {
    response = await fetch(BASE + path, {
      method,
      headers: body === undefined ? {} : { "Content-Type": "application/json" },
      body: body === undefined ? undefined : JSON.stringify(body),
    });
  } catch {
    throw new Problem(OFFLINE);
  }
  const answer = await response.json().catch(() => ({}));
  if (!response.ok) throw new Problem(answer.detail ?? `Tallycam refused this (${response.status}).`);
  return answer;
}

// Sends a photo as it is. `onProgress` hears the share that has been sent, from 0 to 1.
export function sendPhoto(file, limitBytes, onProgress) {
  if (file.size > limitBytes) {
    return Promise.reject(new Problem(`The picture is over ${limitBytes / 1e6} MB; choose a smaller one.`));
  }
  const form = new FormData();
  form.append("photo", file);
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open("POST", `${BASE}/photos`);
    request.responseType = "json";
    request.upload.onprogress = (event) => event.lengthComputable && onProgress(event.loaded / event.total);
    request.upload.onload = () => onProgress(1);
    request.onload = () =>
      request.status < 300
        ? resolve(request.response)
        : reject(new Problem(request.response?.detail ?? `Tallycam refused the picture (${request.status}).`));
    request.onerror = () => reject(new Problem(OFFLINE));
    request.send(form);
  });
}

// Follows the service's state. `onHealth(false)` means that what is shown may be old: phones drop a
// sleeping page's stream without a word, so silence counts as a break, and waking up starts anew.
export function follow(onState, onHealth) {
  let source = null;
  let heard = 0;

  const hear = () => {
    heard = Date.now();
    onHealth(true);
  };
  const connect = () => {
    source?.close();
    heard = Date.now();
    source = new EventSource(`${BASE}/events`);
    source.addEventListener("state", (event) => {
      hear();
      onState(JSON.parse(event.data));
    });
    source.addEventListener("beat", hear);
    source.onerror = () => onHealth(false);
  };

  connect();
  setInterval(() => {
    if (Date.now() - heard < SILENCE_MS) return;
    onHealth(false);
    connect();
  }, 2000);
  document.addEventListener("visibilitychange", () => document.visibilityState === "visible" && connect());
  addEventListener("pageshow", (event) => event.persisted && connect());
  addEventListener("online", connect);
}
