// Requests to the service, and its event stream.

// Sends a request. Throws an error with a sentence, a next step, and the HTTP status, or 0 without a response.
export async function call(method, path, body = {}, timeout = 15000) {
  let response, reply = {};
  try {
    response = await fetch(path, {
      // Safari 15 has no `AbortSignal.timeout`.
      method, signal: AbortSignal.timeout?.(timeout), cache: "no-store",
      ...(method !== "GET" && { headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) }),
    });
    reply = JSON.parse(await response.text() || "{}");
    if (response.ok) return reply;
  } catch { /* The error below names the reason. */ }
  const message = reply.error?.message ?? "cannot reach FrameFast";
  throw Object.assign(new Error(`${message[0].toUpperCase()}${message.slice(1)}.`), {
    status: response?.status ?? 0,
    nextStep: reply.error ? reply.error.next_step : "Check that this device is on the studio's network.",
  });
}

// Whether the status of a response or an error says that the service refuses this device.
export const isRefusal = ({ status }) => status === 401 || status === 403;

// Splits text into complete server-sent events and the start of the next event.
export function parseEvents(text) {
  const events = text.split("\n\n"), rest = events.pop(), lines = events.join("\n").match(/^data:.*/gm) ?? [];
  return [lines.map((line) => JSON.parse(line.slice(5))), rest];
}

// Follows the events. Unlike EventSource, fetch shows heartbeats and the status of a refusal. `onstate` receives
// "away" and "refused".
export function follow(onevent, onstate) {
  let isOpen = false, isRunning = false, wait, timer, abort, wake;

  // If the network is lost or the device sleeps, a dead connection can stay open (rcarmo/piclaw#65). After
  // 10 s without data, a request checks whether the service responds. The service sends a heartbeat every
  // 15 s, so a connection without data for 20 s is dead.
  function watch(isQuiet) {
    clearTimeout(timer);
    const mine = abort;
    timer = setTimeout(() => {
      if (isQuiet) return mine.abort();
      // The next timer does not depend on the request, which has no time limit in Safari 15.
      watch(true);
      const check = timer;
      // Data that arrived during the request has started another timer.
      call("GET", "/v1/web/me", {}, 4000).catch(({ status }) => { if (!status && timer === check) mine.abort(); });
    }, 10000);
  }

  async function run() {
    if (isRunning) return;
    isRunning = true;
    while (isOpen) {
      abort = new AbortController();
      try {
        watch();
        const response = await fetch("/v1/events", { signal: abort.signal, cache: "no-store" });
        if (isRefusal(response)) { isOpen = false; onstate("refused"); }
        const reader = response.ok && response.body.pipeThrough(new TextDecoderStream()).getReader();
        for (let text = "", part; reader && !(part = await reader.read()).done;) {
          watch();
          wait = 500;
          const [events, rest] = parseEvents(text + part.value);
          text = rest;
          events.forEach(onevent);
        }
      } catch { /* The loop connects again. */ }
      clearTimeout(timer);
      if (!isOpen) break;
      onstate("away");
      await new Promise((resolve) => { wake = resolve; setTimeout(resolve, wait); });
      wait = Math.min(2000, wait * 2);
    }
    isRunning = false;
  }

  return {
    // Connects, or tries again at once.
    open() { isOpen = true; wait = 500; wake?.(); run(); },
    close() { isOpen = false; abort?.abort(); wake?.(); },
  };
}
