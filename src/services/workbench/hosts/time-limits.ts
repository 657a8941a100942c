// The time limits of the web app's requests.
import type { ChartroomOptions } from '../../client/index.ts'

/**
 * Pages show when a write takes too long and offer to retry it; without these limits, it would be awaited as
 * long as its connection lasts. A function call sets its own.
 */
export const TIME_LIMITS = { requestTimeout: 60_000 } satisfies ChartroomOptions['timings']
