// Glicko-2 (Glickman 2012) for one result at a time: what the browser keeps while it is offline.

const SCALE = 173.7178;
const TAU = 0.5;

/** @typedef {{ rating: number, deviation: number, volatility: number }} Rated */

/** @returns {Rated} */
export const unrated = () => ({ rating: 1500, deviation: 350, volatility: 0.06 });

/**
 * The player after one puzzle; won is 1, lost 0.
 * @param {Rated} player
 * @param {{ rating: number, deviation?: number }} puzzle
 * @param {number} won
 * @returns {Rated}
 */
export function after(player, puzzle, won) {
  const mu = (player.rating - 1500) / SCALE;
  const phi = player.deviation / SCALE;
  const other = (puzzle.rating - 1500) / SCALE;
  const g = 1 / Math.sqrt(1 + (3 * ((puzzle.deviation ?? 60) / SCALE) ** 2) / Math.PI ** 2);
  const expected = 1 / (1 + Math.exp(-g * (mu - other)));
  const variance = 1 / (g * g * expected * (1 - expected));
  const delta = variance * g * (won - expected);
  const volatility = newVolatility(player.volatility, delta, phi, variance);
  const wide = Math.sqrt(phi * phi + volatility * volatility);
  const narrow = 1 / Math.sqrt(1 / (wide * wide) + 1 / variance);
  const rating = 1500 + SCALE * (mu + narrow * narrow * g * (won - expected));
  return { rating, deviation: Math.max(45, SCALE * narrow), volatility };
}

/** The Illinois algorithm of the paper. @param {number} sigma @param {number} delta @param {number} phi @param {number} v */
function newVolatility(sigma, delta, phi, v) {
  const a = Math.log(sigma * sigma);
  const f = (/** @type {number} */ x) => {
    const e = Math.exp(x);
    const d = phi * phi + v + e;
    return (e * (delta * delta - phi * phi - v - e)) / (2 * d * d) - (x - a) / (TAU * TAU);
  };
  let A = a;
  let B = Math.log(delta * delta - phi * phi - v);
  if (!(delta * delta > phi * phi + v)) {
    let k = 1;
    while (f(a - k * TAU) < 0) k += 1;
    B = a - k * TAU;
  }
  let fa = f(A);
  let fb = f(B);
  while (Math.abs(B - A) > 1e-6) {
    const C = A + ((A - B) * fa) / (fb - fa);
    const fc = f(C);
    if (fc * fb <= 0) [A, fa] = [B, fb];
    else fa /= 2;
    [B, fb] = [C, fc];
  }
  return Math.exp(A / 2);
}
