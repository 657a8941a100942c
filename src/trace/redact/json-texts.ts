// Redacts texts that contain JSON by the rules for values; nothing else in them changes.

/** Longer texts are searched like any other. */
const MOST_JSON = 1_000_000

/** Returns the JSON with each value replaced; undefined if the text is no JSON, or nothing in it changes. */
export function redactedJson(text: string, redact: (value: unknown) => unknown): string | undefined {
  if (text.length > MOST_JSON || !/^\s*(?:[[{]|"[\s\\]*[[{"])/.test(text)) return undefined
  try {
    const value: unknown = JSON.parse(text, withoutRounding)
    const next = redact(value)
    if (next === value) return undefined
    const [, indentation] = /^\s*[[{]\r?\n([ \t]+)/.exec(text) ?? []
    return JSON.stringify(next, null, indentation)
  } catch {
    return undefined
  }
}

/** Numbers with more digits than JavaScript has keep them, where the platform can. */
function withoutRounding(_key: string, value: unknown, context?: { readonly source?: string }): unknown {
  const source = context?.source
  if (typeof value !== 'number' || source === undefined || String(value) === source) return value
  const rawJson: unknown = Reflect.get(JSON, 'rawJSON')
  return typeof rawJson === 'function' ? (Reflect.apply(rawJson, JSON, [source]) as unknown) : value
}
