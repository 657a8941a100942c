// Random values as an input: from the platform, or from a seed.

export interface Entropy {
  /** In [0, 1). */
  readonly random: () => number
  /** Returns a UUID (version 4). */
  readonly id: () => string
}

/** Creates random values from the platform. None of them is a secret. */
export function createEntropy(): Entropy {
  const { crypto } = globalThis as Partial<typeof globalThis>
  // React Native has no `crypto`; the values only differ from each other.
  if (!crypto) return { random: Math.random, id: () => toUuid(bytesOf(Math.random)) }
  const word = new Uint32Array(1)
  return {
    random: () => (crypto.getRandomValues(word)[0] ?? 0) / 2 ** 32,
    // `randomUUID` is missing in insecure contexts.
    id: () => toUuid(crypto.getRandomValues(new Uint8Array(16))),
  }
}

const bytesOf = (random: () => number) => Uint8Array.from({ length: 16 }, () => random() * 256)

/** Creates random values that are the same for the same seed (mulberry32). */
export function createSeededEntropy(seed: number): Entropy {
  let state = seed >>> 0
  const random = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  return { random, id: () => toUuid(bytesOf(random)) }
}

function toUuid(bytes: Uint8Array): string {
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80
  const hex = Array.from(bytes, byte => byte.toString(16).padStart(2, '0')).join('')
  return hex.replace(/(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
}
