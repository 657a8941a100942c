// A project with reports, as `chartroom reports` and `chartroom mcp` read it: rows by REST, recordings by storage.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Report } from '../../src/services/reports/rows.ts'
import { atFileEnd } from './endings.ts'

export interface ReportsProject {
  readonly url: string
  /** Adds a report, and returns its id. */
  add(
    report: Pick<Report, 'cause' | 'fingerprint' | 'title'> & { readonly note?: string },
    trace: Uint8Array,
  ): string
}

/** Serves the project on a free port until the file ends. */
export async function startReportsProject(): Promise<ReportsProject> {
  const rows: Report[] = []
  const traces = new Map<string, Uint8Array>()
  const server = createServer(({ url = '' }, response) => {
    const { pathname, searchParams } = new URL(url, 'http://localhost')
    const trace = traces.get(pathname.split('/').at(-2) ?? '')
    if (pathname.startsWith('/storage/') && trace) return void response.end(trace)
    const id = searchParams.get('id')?.replace(/^eq\./, '')
    const found =
      pathname === '/rest/v1/chartroom_reports' ? rows.filter(row => id === undefined || row.id === id) : []
    response.writeHead(200, { 'content-type': 'application/json', 'content-range': `0-0/${found.length}` })
    response.end(JSON.stringify(found))
  })
  await new Promise<void>(resolve => void server.listen(0, '127.0.0.1', resolve))
  atFileEnd(() => new Promise<void>(resolve => void server.close(() => resolve())))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    add({ note = '', ...report }, trace) {
      const id = `00000000-0000-4000-8000-${String(rows.length + 1).padStart(12, '0')}`
      const now = '2026-11-30T12:00:00Z'
      traces.set(id, trace)
      rows.push({
        ...report,
        id,
        note,
        received_at: now,
        happened_at: now,
        app_version: '1.4.2',
        system: 'chartroom',
        user_id: null,
        trace_id: null,
        path: id,
        trace_bytes: trace.length,
        picture: null,
        driven_at: null,
        driven_version: null,
        driven_outcome: null,
        driven_summary: null,
      })
      return id
    },
  }
}
