// Reads a JSON Web Token without judging it: what its header and its claims say.

type Fields = Readonly<Record<string, unknown>>

const part = (token: string, at: number): Fields => {
  try {
    const text = (token.split('.')[at] ?? '').replaceAll('-', '+').replaceAll('_', '/')
    const bytes = Uint8Array.from(atob(text), character => character.charCodeAt(0))
    const value: unknown = JSON.parse(new TextDecoder().decode(bytes))
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {}
  } catch {
    return {}
  }
}

/** What a token says of itself; of what is none, nothing. */
export const headerOf = (token: string): Fields => part(token, 0)

/** What a token claims; of what is none, nothing. */
export const claimsOf = (token: string): Fields => part(token, 1)
