// Stores panel sizes, lists of texts and more in the browser; storage errors are ignored.

type Sizes = Readonly<Record<string, number>>

const PREFIX = 'chartroom:console:'
const SIZES = `${PREFIX}sizes:`

/** Returns the stored sizes of a panel group, or undefined. */
export const storedSizes = (group: string): { [panel: string]: number } | undefined =>
  sizesOf(storedJson(`sizes:${group}`))

/** Stores the sizes of a panel group, if the browser allows it. */
export const storeSizes = (group: string, sizes: Sizes): void => storeJson(`sizes:${group}`, sizes)

/** Returns the stored sizes of all panel groups, by name. */
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

/** Returns a stored list of texts; empty if there is none. */
export function storedTexts(name: string): readonly string[] {
  const known = storedJson(name)
  return Array.isArray(known) ? known.filter(text => typeof text === 'string') : []
}

/** Stores a list of texts, if the browser allows it. */
export const storeTexts = (name: string, texts: readonly string[]): void => storeJson(name, texts)

/** Returns stored JSON, unvalidated; undefined if there is none. */
export function storedJson(name: string): unknown {
  try {
    return JSON.parse(globalThis.localStorage.getItem(PREFIX + name) ?? 'null')
  } catch {
    return undefined
  }
}

/** Stores a plain value, if the browser allows it. */
export function storeJson(name: string, value: unknown): void {
  try {
    globalThis.localStorage.setItem(PREFIX + name, JSON.stringify(value))
  } catch {
    // Only a convenience is lost.
  }
}

/** Whether the log folds steps that only carry out an event; until the user turns it off once. */
export const isLogFolded = (): boolean => storedJson('all-steps') !== true

export const storeLogFolded = (isFolded: boolean): void => storeJson('all-steps', !isFolded)

/** Whether the user has dismissed the legend of the log. */
export const isLegendDismissed = (): boolean => storedJson('legend-dismissed') === true

export const storeLegendDismissed = (): void => storeJson('legend-dismissed', true)
