// How long this page waits for an answer: at least what suits most lines, and longer than the slowest
// answer that it has seen. Where nothing came in time, it waits longer the next time.

const SPARE = 500, MOST = 30000; // ms

let slowest = 0;
let inVain = 0; // the longest wait since the last answer

// An answer has come to what was asked at `began`, by performance.now().
export function answered(began) {
  slowest = Math.max(slowest, performance.now() - began);
  inVain = 0;
}

// None came within so many ms.
export const missed = (ms) => (inVain = Math.max(inVain, ms));

// In ms; `least` suits most lines.
export const patience = (least) => Math.min(MOST, Math.max(least, 2 * Math.max(slowest, inVain) + SPARE));

// The page itself is the first answer it knows.
const [page] = performance.getEntriesByType("navigation");
if (page?.requestStart) slowest = Math.max(0, page.responseStart - page.requestStart);
