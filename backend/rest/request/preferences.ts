// The header `Prefer`.
import type { Preferences } from './api-request.ts'
import { decodeHeader } from './bytes.ts'
import { readInteger } from './integers.ts'

const PREFERENCES = {
  resolution: ['merge-duplicates', 'ignore-duplicates'],
  return: ['representation', 'minimal', 'headers-only'],
  count: ['exact', 'planned', 'estimated'],
  tx: ['commit', 'rollback'],
  missing: ['default', 'null'],
  handling: ['strict', 'lenient'],
} as const

type PreferenceTable = typeof PREFERENCES

const TIMEZONE = 'timezone='
const MAX_AFFECTED = 'max-affected='

/** Of several values of a preference, the first one that is known is valid. */
export function readPreferences(header: string | null, allowsTx: boolean): Preferences {
  const preferences =
    header === null || header === ''
      ? []
      : decodeHeader(header)
          .split(',')
          .map(each => each.trim())
  const present = new Set(preferences)
  const tx = firstOf('tx', present)
  return {
    resolution: firstOf('resolution', present),
    return: firstOf('return', present),
    count: firstOf('count', present),
    tx: allowsTx ? tx : undefined,
    missing: firstOf('missing', present),
    handling: firstOf('handling', present),
    timezone: valueOf(TIMEZONE, preferences),
    maxAffected: readInteger(valueOf(MAX_AFFECTED, preferences) ?? ''),
    unknown: preferences.filter(each => !isKnown(each)),
  }
}

function firstOf<K extends keyof PreferenceTable>(
  name: K,
  present: ReadonlySet<string>,
): PreferenceTable[K][number] | undefined {
  for (const preference of present) {
    const value = PREFERENCES[name].find(each => preference === `${name}=${each}`)
    if (value !== undefined) return value
  }
  return undefined
}

const valueOf = (prefix: string, preferences: readonly string[]): string | undefined =>
  preferences.find(each => each.startsWith(prefix))?.slice(prefix.length)

const knownPreferences: ReadonlySet<string> = new Set(
  Object.entries(PREFERENCES).flatMap(([name, values]) => values.map(value => `${name}=${value}`)),
)

const isKnown = (preference: string): boolean =>
  preference.startsWith(TIMEZONE) || preference.startsWith(MAX_AFFECTED) || knownPreferences.has(preference)
