// Reads the texts of responses whose form is not known.

/** JSON; undefined for other text. */
export function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** An own property; undefined for anything else than an object. */
export function fieldOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? Reflect.get(value, name)
    : undefined
}

/** What a refusal says. */
export function wordsIn(text: string): string {
  const body = parsed(text)
  const words = ['message', 'hint'].map(name => fieldOf(body, name)).filter(word => typeof word === 'string')
  return words.length > 0 ? words.join(' ') : text.slice(0, 200)
}
