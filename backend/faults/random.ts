// Reproducible randomness: a generator whose numbers depend only on a seed and a name.

/** Numbers from 0 (inclusive) to 1; equal seeds and names give equal numbers. */
export function createRandom(seed: number, name: string): () => number {
  let state = hash(`${seed}:${name}`)
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** FNV-1a: enough to separate adjacent seeds and names. */
function hash(text: string): number {
  let value = 0x811c9dc5
  for (let at = 0; at < text.length; at += 1) value = Math.imul(value ^ text.charCodeAt(at), 0x01000193)
  return value
}
