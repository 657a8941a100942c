// Remembers panel sizes, and lists of texts, in the browser; a store that throws is a store that forgets.

type Sizes = Readonly<Record<string, number>>

const keyOf = (group: string): string => `chartroom:console:${group}`

/** The remembered sizes of a panel group, or nothing. */
export function storedSizes(group: string): { [panel: string]: number } | undefined {
  try {
    const text = globalThis.localStorage.getItem(keyOf(group))
    return text === null ? undefined : sizesOf(JSON.parse(text))
  } catch {
    return undefined
  }
}

/** Remembers the sizes of a panel group where the browser allows it. */
export function storeSizes(group: string, sizes: Sizes): void {
  try {
    globalThis.localStorage.setItem(keyOf(group), JSON.stringify(sizes))
  } catch {
    // Without storage the default sizes come back next time: no reason to trouble anyone.
  }
}

function sizesOf(value: unknown): { [panel: string]: number } | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  const entries = Object.entries(value)
  const usable = entries.length > 0 && entries.every(([, size]) => Number.isFinite(size))
  return usable ? Object.fromEntries(entries.map(([panel, size]) => [panel, Number(size)])) : undefined
}

/** A remembered list of texts; empty where there is none. */
export function storedTexts(name: string): readonly string[] {
  try {
    const known: unknown = JSON.parse(globalThis.localStorage.getItem(keyOf(name)) ?? '[]')
    return Array.isArray(known) ? known.filter(text => typeof text === 'string') : []
  } catch {
    return []
  }
}

/** Remembers a list of texts where the browser allows it. */
export function storeTexts(name: string, texts: readonly string[]): void {
  try {
    globalThis.localStorage.setItem(keyOf(name), JSON.stringify(texts))
  } catch {
    // Nothing is lost but a convenience.
  }
}
