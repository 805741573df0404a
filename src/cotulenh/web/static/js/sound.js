// Sounds are made, not loaded: short knocks and chimes.
import { get } from "./settings.js";

/** @type {AudioContext} from the first sound on */
let context;

/** @param {number} frequency @param {number} start @param {number} length @param {number} volume @param {OscillatorType} type */
function tone(frequency, start, length, volume, type = "sine") {
  const oscillator = context.createOscillator();
  const gain = context.createGain();
  oscillator.type = type;
  oscillator.frequency.setValueAtTime(frequency, start);
  oscillator.frequency.exponentialRampToValueAtTime(Math.max(40, frequency * 0.6), start + length);
  gain.gain.setValueAtTime(volume, start);
  gain.gain.exponentialRampToValueAtTime(0.001, start + length);
  oscillator.connect(gain).connect(context.destination);
  oscillator.start(start);
  oscillator.stop(start + length);
}

/** @type {Record<string, [number, number, number, number, OscillatorType?][]>} */
const SOUNDS = {
  move: [[260, 0, 0.09, 0.25, "triangle"]],
  take: [
    [190, 0, 0.13, 0.35, "square"],
    [95, 0.02, 0.16, 0.3, "triangle"],
  ],
  join: [
    [330, 0, 0.08, 0.2, "triangle"],
    [440, 0.07, 0.1, 0.2, "triangle"],
  ],
  check: [
    [520, 0, 0.12, 0.2, "triangle"],
    [690, 0.1, 0.16, 0.2, "triangle"],
  ],
  end: [
    [392, 0, 0.2, 0.2],
    [523, 0.16, 0.2, 0.2],
    [659, 0.32, 0.4, 0.2],
  ],
  wrong: [[160, 0, 0.2, 0.25, "sawtooth"]],
};

/** @param {string} name */
export function sound(name) {
  if (get("sound")) setTimeout(() => ring(name)); // drawing comes first
}

/** @param {string} name */
function ring(name) {
  try {
    context ??= new AudioContext();
    if (context.state === "suspended") context.resume();
    for (const [frequency, after, length, volume, type] of SOUNDS[name] || []) {
      tone(frequency, context.currentTime + after, length, volume * 0.5, type);
    }
  } catch {
    // no audio device: silence is fine
  }
}
