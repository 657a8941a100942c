// Measures the nesting depth of JSON, before recursive code parses it.

/** Deeper than any meaningful body, and shallow enough for recursive code. */
export const DEEPEST = 1_000

const QUOTE = 0x22
const BACKSLASH = 0x5c
/** `[` and `{`. */
const OPENERS = [0x5b, 0x7b]
const CLOSERS = [0x5d, 0x7d]

/** Whether a text is nested more than `limit` levels deep; in invalid JSON, only brackets count. */
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
