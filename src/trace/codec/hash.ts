// A small stable hash for comparing structures and sequences; not for security.
import { isList, type Json } from './json.ts'

const PRIME = 0x01000193

/** FNV-1a in two independent 32-bit lanes, as 16 hex digits; `seed` chains it over a sequence. */
export function hashText(text: string, seed = ''): string {
  let low = 0x811c9dc5
  let high = 0x9dc5811c
  const mix = (part: string) => {
    for (let at = 0; at < part.length; at++) {
      const code = part.charCodeAt(at)
      low = Math.imul(low ^ code, PRIME)
      high = Math.imul(high ^ code ^ (low >>> 15), PRIME)
    }
  }
  mix(seed)
  mix(text)
  return hex(low) + hex(high)
}

function hex(lane: number): string {
  return (lane >>> 0).toString(16).padStart(8, '0')
}

/** Serializes equal values to equal text, regardless of key order. */
export function canonical(json: Json): string {
  if (typeof json !== 'object' || json === null) return JSON.stringify(json)
  if (isList(json)) return `[${json.map(canonical).join(',')}]`
  const keys = Object.keys(json).sort()
  return `{${keys.map(key => `${JSON.stringify(key)}:${canonical(json[key] ?? null)}`).join(',')}}`
}
