// Files of the page's own origin, of which a page must not mind whether they are there.
import { PROBE_DEADLINE_MS, type ProbePorts } from '../probe.ts'

/** JSON from a path of the page's own origin; undefined when there is none (or anything else is served). */
export const readOwnJson = async (
  path: string,
  { fetch = globalThis.fetch.bind(globalThis), deadline = PROBE_DEADLINE_MS }: ProbePorts = {},
): Promise<unknown> => {
  try {
    const response = await fetch(path, { signal: AbortSignal.timeout(deadline) })
    return response.ok ? ((await response.json()) as unknown) : undefined
  } catch {
    return undefined
  }
}

/** What a file of the page's own origin holds; undefined where there is none. */
export type OwnFile = { readonly value: unknown } | { readonly problem: string } | undefined

/** Reads a JSON file of the page's own origin, and tells one that is damaged from one that is not there. */
export const readOwnFile = async (
  path: string,
  { fetch = globalThis.fetch.bind(globalThis), deadline = PROBE_DEADLINE_MS }: ProbePorts = {},
): Promise<OwnFile> => {
  const response = await fetch(path, { signal: AbortSignal.timeout(deadline), cache: 'no-cache' }).catch(
    () => undefined,
  )
  // A host that has one page for every address gives that one for a file that is not there.
  if (!response?.ok || /html/.test(response.headers.get('content-type') ?? '')) return undefined
  const text = await response.text().catch(() => '')
  try {
    return { value: JSON.parse(text) as unknown }
  } catch (error) {
    return { problem: `is no JSON (${error instanceof Error ? error.message : String(error)})` }
  }
}
