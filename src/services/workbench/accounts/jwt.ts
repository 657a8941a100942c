// Decodes the header and claims of a JSON Web Token without verifying it.

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

/** Header of a token; empty if the text is not a token. */
export const headerOf = (token: string): Fields => part(token, 0)

/** Claims of a token; empty if the text is not a token. */
export const claimsOf = (token: string): Fields => part(token, 1)
