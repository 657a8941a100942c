// Captured reports until they are delivered, and what was reported today: in memory, or in IndexedDB.
import type { ReportCause } from '../../machines/index.ts'
import type { TusUrlStorage } from '../client/index.ts'

/** A report that waits for its delivery. */
export interface StoredReport {
  readonly id: string
  readonly cause: ReportCause
  /** ISO 8601, by the clock of the device. */
  readonly happenedAt: string
  readonly appVersion: string
  readonly system: string
  /** Trace id of OpenTelemetry or Sentry; absent in reports that earlier versions of the app have stored. */
  readonly traceId?: string | undefined
  readonly note: string
  /** Whether the id of the signed-in user may be sent. */
  readonly withUser: boolean
  readonly trace: Blob
  readonly picture: Blob | undefined
  /** Where unfinished uploads of its files continue, by file. */
  readonly uploads?: Readonly<Record<string, string>> | undefined
  /** Failed attempts to deliver it. */
  readonly attempts: number
}

/** What this browser has reported on one day. */
export interface Spent {
  /** `YYYY-MM-DD`, in UTC. */
  readonly day: string
  readonly reports: number
  readonly bytes: number
  readonly fingerprints: readonly string[]
}

/** Shared by all tabs of an origin. All methods reject with the device's error. */
export interface Outbox {
  /** In any order. */
  list(): Promise<readonly StoredReport[]>
  get(id: string): Promise<StoredReport | undefined>
  put(report: StoredReport): Promise<void>
  remove(id: string): Promise<void>
  spent(): Promise<Spent | undefined>
  spend(spent: Spent): Promise<void>
  close(): void
}

/** For browsers that store nothing, as in some private windows, and for programs. */
export function createMemoryOutbox(): Outbox {
  const reports = new Map<string, StoredReport>()
  let spent: Spent | undefined
  return {
    list: () => Promise.resolve([...reports.values()]),
    get: id => Promise.resolve(reports.get(id)),
    put: report => Promise.resolve(void reports.set(report.id, report)),
    remove: id => Promise.resolve(void reports.delete(id)),
    spent: () => Promise.resolve(spent),
    spend: next => Promise.resolve(void (spent = next)),
    close: () => undefined,
  }
}

/** Uses IndexedDB if it works, and memory otherwise. */
export async function openOutbox(database: string): Promise<Outbox> {
  if (typeof indexedDB === 'undefined') return createMemoryOutbox()
  try {
    const { createIdbOutbox } = await import('./idb-outbox.ts')
    return await createIdbOutbox(database)
  } catch {
    return createMemoryOutbox()
  }
}

/** Keeps the URLs of a report's unfinished uploads with it, for a later attempt, also of another tab. */
export function uploadUrls(outbox: Outbox, id: string): TusUrlStorage {
  const urls = async () => (await outbox.get(id))?.uploads ?? {}
  const change = async (uploads: Readonly<Record<string, string>>) => {
    const report = await outbox.get(id)
    if (report) await outbox.put({ ...report, uploads })
  }
  return {
    get: async mark => (await urls())[mark],
    put: async (mark, url) => change({ ...(await urls()), [mark]: url }),
    remove: async mark => {
      const { [mark]: _, ...otherUrls } = await urls()
      await change(otherUrls)
    },
  }
}
