// Recognizes what replaces secrets: pseudonyms, with or without a public prefix, and the stand-ins of JWTs.

/** Public prefixes of well-known issuers. */
const PREFIX =
  /^(?:sb_(?:secret|publishable)_|sbp_|[sr]k_(?:live|test|prod)_|whsec_|gh[pousr]_|github_pat_|gl(?:pat|ptt|dt|rt|soat|cbt)-|npm_|xox[abeoprs]-|xapp-|sk-(?:proj-|ant-)?|redacted:)/

const NUMBERED = /\[redacted:\d+\]$/
const JWT_LIKE = /^eyJ[\w-]*\.[\w-]*\.redacted-\d+$/

/** Whether a text is a pseudonym, with or without a public prefix, or the stand-in of a JWT. */
export function isStandIn(text: string): boolean {
  if (!text.endsWith(']')) return JWT_LIKE.test(text)
  const { index } = NUMBERED.exec(text) ?? { index: -1 }
  return index === 0 || (index > 0 && isPublicPrefix(text.slice(0, index)))
}

/** Whether this is the prefix of a stand-in. */
export function isPublicPrefix(text: string): boolean {
  return publicPrefixOf(text) === text
}

/** Returns the prefix by which a token names its issuer; empty if it has none. */
export function publicPrefixOf(secret: string): string {
  return PREFIX.exec(secret)?.[0] ?? ''
}

/**
 * Returns what replaces a secret with this number: it has the secret's form, as far as that is public. Equal
 * secrets have the same number. `claims` are those of a JWT that may be seen in addition to the usual ones.
 */
export type StandIn = (secret: string, number: number, claims?: readonly string[]) => string
