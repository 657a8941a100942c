// Optional files on the page's own origin.
import { PROBE_DEADLINE_MS, type ProbePorts } from './probe.ts'

/** Loads JSON from a path on the page's own origin; undefined if it is missing or not JSON. */
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

/** Content of a file on the page's own origin; undefined if it is missing. */
export type OwnFile = { readonly value: unknown } | { readonly problem: string } | undefined

/** Loads a JSON file from the page's own origin and distinguishes a damaged file from a missing one. */
export const readOwnFile = async (
  path: string,
  { fetch = globalThis.fetch.bind(globalThis), deadline = PROBE_DEADLINE_MS }: ProbePorts = {},
): Promise<OwnFile> => {
  const response = await fetch(path, { signal: AbortSignal.timeout(deadline), cache: 'no-cache' }).catch(
    () => undefined,
  )
  // Servers with an SPA fallback respond with the page for a missing file.
  if (!response?.ok || /html/.test(response.headers.get('content-type') ?? '')) return undefined
  const text = await response.text().catch(() => '')
  try {
    return { value: JSON.parse(text) as unknown }
  } catch (error) {
    return { problem: `is not valid JSON (${error instanceof Error ? error.message : String(error)})` }
  }
}
