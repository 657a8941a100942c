// How deep a JSON text is nested, before anything that calls itself for each level reads it.

/** Deeper than any body that means something, and not so deep that what recurses for each level fails. */
export const DEEPEST = 1_000

const QUOTE = 0x22
const BACKSLASH = 0x5c
/** `[` and `{`. */
const OPENERS = [0x5b, 0x7b]
const CLOSERS = [0x5d, 0x7d]

/** Whether a text is nested more than `limit` levels deep; what is no JSON is deep by its brackets. */
export function isDeeperThan(limit: number, bytes: Uint8Array): boolean {
  let depth = 0
  let isText = false
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at] ?? 0
    if (isText && byte === BACKSLASH) at += 1
    else if (byte === QUOTE) isText = !isText
    else if (!isText && OPENERS.includes(byte)) depth += 1
    else if (!isText && CLOSERS.includes(byte)) depth -= 1
    if (depth > limit) return true
  }
  return false
}
