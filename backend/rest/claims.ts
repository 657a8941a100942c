export type { Claims } from '../keys/index.ts'

/** A claim as the text of a setting; its type is not checked in a token. */
export const claimText = (claim: unknown): string =>
  typeof claim === 'string' ? claim : (JSON.stringify(claim) ?? '')
