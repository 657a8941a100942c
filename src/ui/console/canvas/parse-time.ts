// Parses times as people write them: `1:04.8`, `12.5`, `12.5s`, `400ms`, `2 min`, `1h02m`; and events as
// `#812`.

/** A moment: by its time in milliseconds since the recording began, or by its event. */
export type WrittenMoment = { readonly t: number } | { readonly seq: number }

const UNITS: Readonly<Record<string, number>> = { h: 3_600_000, m: 60_000, min: 60_000, s: 1000, ms: 1 }

/** Returns undefined if the text is not a moment. */
export function parseMoment(text: string): WrittenMoment | undefined {
  const bare = text.trim().toLowerCase().replaceAll(',', '')
  const event = /^#(\d{1,12})$/.exec(bare)
  if (event) return { seq: Number(event[1]) }
  const clock = /^(?:(\d+):)?(\d{1,2}):(\d{1,2}(?:\.\d+)?)$/.exec(bare)
  if (clock) {
    const [hours, minutes, seconds] = [clock[1] ?? '0', clock[2], clock[3]].map(Number)
    return { t: ((hours ?? 0) * 3600 + (minutes ?? 0) * 60 + (seconds ?? 0)) * 1000 }
  }
  if (/^\d+(\.\d+)?$/.test(bare)) return { t: Number(bare) * 1000 }
  if (!/^(\d+(\.\d+)?\s*(h|min|ms|m|s)\s*)+$/.test(bare)) return undefined
  const parts = bare.matchAll(/(\d+(?:\.\d+)?)\s*(h|min|ms|m|s)\s*/gy)
  return {
    t: [...parts].reduce((sum, [, amount, unit = 's']) => sum + Number(amount) * (UNITS[unit] ?? 0), 0),
  }
}
