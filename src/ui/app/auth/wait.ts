// How long a refusal lasts, where the server says so.
import type { Failure } from '../../../index.ts'

/** @returns client's time until which the server takes no further attempt; undefined where it did not say. */
export const waitUntil = ({ kind, retryAfter }: Failure, at: number): number | undefined =>
  kind === 'rateLimit' && retryAfter !== undefined ? at + retryAfter * 1000 : undefined
