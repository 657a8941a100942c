// An export of rows: page by page, with retries, and saved only when complete.
import { createActor, fromCallback } from 'xstate'
import { expect, test } from 'vitest'
import { rowExportMachine, type PageEvent } from '../../../../src/machines/workbench/row-export.ts'
import { createVirtualClock } from '../../../../src/testing/virtual-clock.ts'
import {
  createExportWriter,
  exportName,
  rowsOfPage,
} from '../../../../src/services/workbench/table/export/export-format.ts'
import {
  scopeQuery,
  createRowReader,
  ALL_RIGHTS,
  type TableQuery,
} from '../../../../src/services/workbench/table/index.ts'
import { ID_COLUMN } from '../../../harness/column.ts'

const start = (answer: (from: number, asked: number) => PageEvent | undefined) => {
  const requests: number[] = []
  const readPage = fromCallback<{ type: string }, { readonly from: number }, PageEvent>(
    ({ input, sendBack }) => {
      requests.push(input.from)
      const event = answer(input.from, requests.length)
      if (event) sendBack(event)
    },
  )
  const clock = createVirtualClock()
  const actor = createActor(rowExportMachine.provide({ actors: { readPage } }), {
    clock,
    input: { expected: 5, seed: 1 },
  })
  actor.start()
  const facts = () => [actor.getSnapshot().value, actor.getSnapshot().context.read]
  return { actor, requests, clock, facts }
}

const page = (rows: number): PageEvent => ({ type: 'page.read', rows, isLast: rows === 0 })

test('pages are read until one is empty, whatever page size the server uses', () => {
  const { requests, facts } = start((_from, n) => page([2, 3, 0][n - 1] ?? 0))
  expect([facts(), requests]).toEqual([
    ['done', 5],
    [0, 2, 5],
  ])
})

test('a failed page is requested again; a permanent failure is shown, and the export can be resumed', () => {
  const { actor, requests, clock, facts } = start((from, n) => {
    if (n === 2) return { type: 'page.failed', failure: { kind: 'network', message: 'gone' } }
    if (n === 3) return { type: 'page.failed', failure: { kind: 'forbidden', message: 'no' } }
    return page(from >= 4 ? 0 : 2)
  })
  expect(facts()).toEqual(['backingOff', 2])
  clock.advance(1_000)
  expect(facts()).toEqual(['failed', 2])
  actor.send({ type: 'export.resume' })
  expect([facts(), requests]).toEqual([
    ['done', 4],
    [0, 2, 2, 2, 4],
  ])
})

test('a pause cancels the page being read, and requests it again on resume', () => {
  const { actor, requests, facts } = start((_from, n) => (n === 1 ? undefined : page(0)))
  actor.send({ type: 'export.pause' })
  expect(facts()).toEqual(['paused', 0])
  actor.send({ type: 'export.resume' })
  expect([facts(), requests]).toEqual([
    ['done', 0],
    [0, 0],
  ])
})

const PAGES = ['[{"id":1,"v":9007199254740993},{"id":2,"v":null}]', '[{"id":3,"v":1.50}]', '[]']

test.each([
  ['json', '[\n{"id":1,"v":9007199254740993},\n{"id":2,"v":null},\n{"id":3,"v":1.50}\n]\n'],
  ['lines', '{"id":1,"v":9007199254740993}\n{"id":2,"v":null}\n{"id":3,"v":1.50}\n'],
  ['csv', 'id,v\r\n1,9007199254740993\r\n2,\r\n3,1.50\r\n'],
] as const)('pages become one file of %s', async (format, text) => {
  const writer = createExportWriter(format, [])
  for (const page of PAGES) writer.addRows(rowsOfPage(page))
  expect(await writer.file().text()).toBe(text)
})

test('an empty table becomes a file with its column names, or an empty list', async () => {
  expect(await createExportWriter('csv', ['a', 'b']).file().text()).toBe('a,b\r\n')
  expect(JSON.parse(await createExportWriter('json', []).file().text())).toEqual([])
})

const info = { name: 'log', columns: [ID_COLUMN], rights: ALL_RIGHTS, isKnown: true }
const QUERY: TableQuery = {
  schema: 'harbour',
  table: 'log',
  columns: ['note'],
  filters: [{ column: 'note', operator: 'ilike', value: '*a&b*', negate: false }],
  sorts: [{ column: 'at', direction: 'desc' }],
  range: { from: 40, to: 60 },
}

test('pages have a total order, and ignore the range of the screen', () => {
  const byTime = createRowReader({ query: scopeQuery(QUERY, info, 'matching'), info })
  expect(byTime.next()).toEqual({
    method: 'GET',
    path: '/rest/v1/log?select=note,at,id&note=ilike.*a%26b*&order=at.desc,id.desc&offset=0&limit=1000',
    headers: { accept: 'application/json', 'Accept-Profile': 'harbour', prefer: 'count=exact' },
  })
  // An unknown column may have any number of rows with the same value.
  expect(byTime.take({ rows: [{ note: 'a', at: 'x', id: 6 }], total: 3 }).rows).toEqual([{ note: 'a' }])
  expect(new URLSearchParams(byTime.next().path).get('offset')).toBe('1')
  const byKey = createRowReader({ query: scopeQuery(QUERY, info, 'all'), info })
  expect(byKey.next().path).toBe('/rest/v1/log?select=*&order=id.asc&offset=0&limit=1000')
  expect(byKey.take({ rows: [{ id: 6, note: 'a' }], total: 9 }).rows).toEqual([{ id: 6, note: 'a' }])
  expect(byKey.next().path).toBe('/rest/v1/log?select=*&order=id.asc&offset=0&limit=1000&id=gt.6')
  // A page that was too large is requested in smaller ones, to the end.
  const pages = [byKey.smaller(), byKey.smaller(), byKey.smaller(), byKey.smaller(), byKey.next()]
  expect(pages.map(each => each && new URLSearchParams(each.path).get('limit'))).toEqual([
    '100',
    '10',
    '1',
    undefined,
    '1',
  ])
  expect([byTime.hasCounted(), byKey.hasCounted()]).toEqual([true, false])
})

test('a partial export is never saved under the name of a complete one', () => {
  expect(exportName('log entries/2026', 'spreadsheet')).toBe('log-entries-2026.csv')
  expect(exportName('log_entries', 'json', { rows: 3_000 })).toBe('log_entries-incomplete-3000-rows.json')
  expect(exportName('log', 'csv', { rows: 3, of: 8 })).toBe('log-incomplete-3-of-8-rows.csv')
})
