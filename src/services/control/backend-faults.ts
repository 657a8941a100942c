// Faults of the embedded backend, managed through its API on the page's own origin. Other backends have none.

/** A fault in the backend's plan. */
export interface BackendFault {
  readonly id: string
  /** The complete fault, in the plan's format. */
  readonly fault: object
  readonly hits: number
}

/** The faults that the backend injects. */
export interface BackendPlan {
  readonly faults: readonly BackendFault[]
  /** Number of calls that are held until they are released. */
  readonly held: number
}

/** The built-in stories. */
export const STORIES = ['squall', 'tide', 'maintenance', 'offline'] as const

/** Client for this page's backend. */
export interface BackendFaults {
  /** Returns undefined if the backend has no fault API. */
  plan(): Promise<BackendPlan | undefined>
  /**
   * Adds a story, or a fault in the plan's format.
   * @throws Error with all validation problems
   */
  add(fault: object): Promise<void>
  /** Removes one fault, a story by name, or all. */
  clear(id?: string): Promise<void>
}

const PATH = '/_chartroom/faults'
/**
 * Response header of the embedded backend's pages. Requesting the fault API of any other host would log an
 * error in the browser.
 */
const HEADER = 'x-chartroom-faults'

type Fields = Readonly<Record<string, unknown>>

const fieldsOf = (value: unknown): Fields =>
  typeof value === 'object' && value !== null ? (value as Fields) : {}
const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

/**
 * Creates a client of the embedded backend's fault API.
 * @param fetch bypasses client-side faults
 * @param page the page's own URL, requested once to detect the fault API
 */
export function createBackendFaults(
  fetch: typeof globalThis.fetch = globalThis.fetch.bind(globalThis),
  page: string = globalThis.location?.href ?? '',
): BackendFaults {
  let isKnown: Promise<boolean> | undefined
  const check = async () => {
    if (!/^https?:/.test(page)) return false
    const response = await fetch(page, { headers: { accept: 'text/html' } })
    await response.body?.cancel()
    return response.headers.has(HEADER)
  }
  const isEmbedded = () => (isKnown ??= check().catch(() => false))
  const send = async (method: string, path: string, body?: object) => {
    const headers = { 'content-type': 'application/json' }
    const response = await fetch(path, { method, headers, ...(body && { body: JSON.stringify(body) }) })
    if (response.ok) return
    const fields = fieldsOf(await response.json().catch(() => undefined))
    const problems = listOf(fields['problems']).map(one => `${text(one, 'path')}: ${text(one, 'message')}`)
    throw new Error(
      problems.join('; ') ||
        text(fields, 'message') ||
        `the backend responded with status ${response.status}`,
    )
  }
  return {
    async plan() {
      if (!(await isEmbedded())) return undefined
      const response = await fetch(PATH, { headers: { accept: 'application/json' } }).catch(() => undefined)
      if (!response?.ok) return undefined
      const fields = fieldsOf(await response.json().catch(() => undefined))
      const faults = fieldsOf(fields['plan'])['faults']
      // Static hosts respond to any URL with a page.
      if (!Array.isArray(faults)) return undefined
      return {
        faults: faults.map((fault: unknown) => {
          const id = text(fault, 'id')
          const { hits, ...rest } = fieldsOf(fault)
          return { id, fault: rest, hits: Number(hits) || 0 }
        }),
        held: listOf(fields['held']).length,
      }
    },
    add: fault => send('POST', PATH, fault),
    clear: id => send('DELETE', id === undefined ? PATH : `${PATH}/${encodeURIComponent(id)}`),
  }
}

function text(value: unknown, name: string): string {
  const found = fieldsOf(value)[name]
  return typeof found === 'string' ? found : ''
}
