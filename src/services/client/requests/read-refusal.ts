// Loads the code that reads refused responses when the first one arrives.
import type { AccessRefusal } from '../../../machines/index.ts'
import type { RefusedResponse } from './classify-refusal.ts'

/** Statuses of refusals. Storage sends most of its errors with 400. */
const REFUSED: ReadonlySet<number> = new Set([400, 401, 403])

/** Returns the reason of a refusal; undefined if the response is none, or if the code to read it can't be loaded. */
export async function readRefusal(response: RefusedResponse): Promise<AccessRefusal | undefined> {
  if (!REFUSED.has(response.status)) return undefined
  const code = await import('./classify-refusal.ts').catch(() => undefined)
  return code?.classifyRefusal({ ...response, text: response.text.slice(0, 2_000) })
}
