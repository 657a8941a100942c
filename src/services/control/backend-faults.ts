// The faults of the embedded backend, over its API on the page's own origin; any other host has none.

/** A fault in the backend's plan. */
export interface BackendFault {
  readonly id: string
  /** The whole fault, as the plan has it. */
  readonly fault: object
  readonly hits: number
}

/** What the backend is told to do wrong. */
export interface BackendPlan {
  readonly faults: readonly BackendFault[]
  /** How many calls it keeps until they are released. */
  readonly held: number
}

/** The stories that it knows. */
export const STORIES = ['squall', 'tide', 'maintenance', 'offline'] as const

/** Talks to the backend of this page. */
export interface BackendFaults {
  /** Nothing where the host has no such thing. */
  plan(): Promise<BackendPlan | undefined>
  /**
   * Adds a story, or a fault in the words of the plan.
   * @throws Error with what is wrong with it
   */
  add(fault: object): Promise<void>
  /** Takes away one fault, a story by its name, or all. */
  clear(id?: string): Promise<void>
}

const PATH = '/_chartroom/faults'
/** A page of the embedded backend says so; to ask any other host for its faults would leave an error in the browser's console. */
const HEADER = 'x-chartroom-faults'

type Fields = Readonly<Record<string, unknown>>

const fieldsOf = (value: unknown): Fields =>
  typeof value === 'object' && value !== null ? (value as Fields) : {}
const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

/**
 * @param fetch goes past the faults of this side
 * @param page the page's own address, which is asked once whether its host has faults
 */
export function createBackendFaults(
  fetch: typeof globalThis.fetch = globalThis.fetch.bind(globalThis),
  page: string = globalThis.location?.href ?? '',
): BackendFaults {
  let isKnown: Promise<boolean> | undefined
  const look = async () => {
    if (!/^https?:/.test(page)) return false
    const response = await fetch(page, { headers: { accept: 'text/html' } })
    await response.body?.cancel()
    return response.headers.has(HEADER)
  }
  const isEmbedded = () => (isKnown ??= look().catch(() => false))
  const send = async (method: string, path: string, body?: object) => {
    const headers = { 'content-type': 'application/json' }
    const response = await fetch(path, { method, headers, ...(body && { body: JSON.stringify(body) }) })
    if (response.ok) return
    const told = fieldsOf(await response.json().catch(() => undefined))
    const problems = listOf(told['problems']).map(one => `${text(one, 'path')}: ${text(one, 'message')}`)
    throw new Error(problems.join('; ') || text(told, 'message') || `the backend answered ${response.status}`)
  }
  return {
    async plan() {
      if (!(await isEmbedded())) return undefined
      const response = await fetch(PATH, { headers: { accept: 'application/json' } }).catch(() => undefined)
      if (!response?.ok) return undefined
      const told = fieldsOf(await response.json().catch(() => undefined))
      const faults = fieldsOf(told['plan'])['faults']
      // Hosts of pages answer any address with a page.
      if (!Array.isArray(faults)) return undefined
      return {
        faults: faults.map((fault: unknown) => {
          const id = text(fault, 'id')
          const { hits, ...rest } = fieldsOf(fault)
          return { id, fault: rest, hits: Number(hits) || 0 }
        }),
        held: listOf(told['held']).length,
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
