// Values in few letters.

/** A value as JSON, cut off where it gets long. */
export function short(value: unknown, most = 80): string {
  const text = value === undefined ? 'absent' : JSON.stringify(value)
  return text.length > most ? `${text.slice(0, most - 3)}...` : text
}
