// The words and tones of states: the terminal's own; a test compares them.

export const CAMERA = {
  searching: ["Looking", "busy"], wrong_mode: ["Needs you", "warning"], in_use: ["In use", "warning"],
  no_permission: ["No access", "warning"], connecting: ["Connecting", "busy"], ready: ["Ready", "success"],
  downloading: ["Saving", "busy"], reconnecting: ["Reconnecting", "warning"], gone: ["Disconnected", "neutral"],
  failed: ["Error", "danger"],
};

export const DESTINATION = {
  ready: ["Ready", "success"], paused: ["Paused", "neutral"], away: ["Away", "warning"], metered: ["Metered", "neutral"],
  refusing: ["Refused", "danger"], removed: ["Removed", "warning"],
};

export const HOST = { online: ["Online", "success"], offline: ["Offline", "danger"], silent: ["Silent", "neutral"] };

export const SEVERITY = { info: "Note", warning: "Warning", danger: "Error" };

export const MODE = {
  realtime: "Real-time upload", offline: "Shoot offline", "jpeg-first": "JPEG first", rated: "Rated photos", manual: "Manual",
  scheduled: "Scheduled",
};

export function size(bytes) {
  const units = ["B", "KB", "MB", "GB", "TB"];
  let unit = 0;
  while (bytes >= 1000 && unit < units.length - 1) { bytes /= 1000; unit += 1; }
  return `${unit && bytes < 100 ? bytes.toFixed(1) : Math.round(bytes)} ${units[unit]}`;
}

export const count = (number, one, many = `${one}s`) => `${number.toLocaleString("en")} ${number === 1 ? one : many}`;
