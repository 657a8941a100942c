// Remembers panel sizes, lists of texts and more in the browser; a store that throws is a store that forgets.

type Sizes = Readonly<Record<string, number>>

const PREFIX = 'chartroom:console:'
const SIZES = `${PREFIX}sizes:`

/** The remembered sizes of a panel group, or nothing. */
export const storedSizes = (group: string): { [panel: string]: number } | undefined =>
  sizesOf(storedJson(`sizes:${group}`))

/** Remembers the sizes of a panel group where the browser allows it. */
export const storeSizes = (group: string, sizes: Sizes): void => storeJson(`sizes:${group}`, sizes)

/** The remembered sizes of all panel groups, by their names. */
export function allSizes(): Readonly<Record<string, Sizes>> {
  try {
    const groups = Object.keys(globalThis.localStorage).flatMap(key =>
      key.startsWith(SIZES) ? [key.slice(SIZES.length)] : [],
    )
    return Object.fromEntries(groups.map(group => [group, storedSizes(group) ?? {}]))
  } catch {
    return {}
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
  const known = storedJson(name)
  return Array.isArray(known) ? known.filter(text => typeof text === 'string') : []
}

/** Remembers a list of texts where the browser allows it. */
export const storeTexts = (name: string, texts: readonly string[]): void => storeJson(name, texts)

/** What was remembered, to be doubted; nothing where there is none. */
export function storedJson(name: string): unknown {
  try {
    return JSON.parse(globalThis.localStorage.getItem(PREFIX + name) ?? 'null')
  } catch {
    return undefined
  }
}

/** Remembers a plain value where the browser allows it. */
export function storeJson(name: string, value: unknown): void {
  try {
    globalThis.localStorage.setItem(PREFIX + name, JSON.stringify(value))
  } catch {
    // Nothing is lost but a convenience.
  }
}
