// How long a rate limit lasts, if the server reports it.
import type { Failure } from '../../client/index.ts'

/** @returns client time until which the server rejects further attempts; undefined if it did not say. */
export const waitUntil = ({ kind, retryAfter }: Failure, at: number): number | undefined =>
  kind === 'rateLimit' && retryAfter !== undefined ? at + retryAfter * 1000 : undefined
