// An export of rows: page after page, again after a failure, and whole before it is saved.
import { createActor, fromCallback } from 'xstate'
import { expect, test } from 'vitest'
import { rowExportMachine, type PageEvent } from '../../src/machines/row-export.ts'
import { createVirtualClock } from '../../src/services/virtual-clock.ts'
import { createExportWriter } from '../../src/ui/app/data-tools/export/export-format.ts'
import { pageOf, scopeQuery } from '../../src/ui/app/data-tools/export/export-scope.ts'
import { ALL_RIGHTS, type Column } from '../../src/ui/app/data/schema.ts'
import type { TableQuery } from '../../src/ui/app/data/table-query.ts'

const start = (answer: (from: number, asked: number) => PageEvent | undefined) => {
  const asked: number[] = []
  const readPage = fromCallback<{ type: string }, { readonly from: number }, PageEvent>(
    ({ input, sendBack }) => {
      asked.push(input.from)
      const event = answer(input.from, asked.length)
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
  return { actor, asked, clock, facts }
}

const page = (rows: number): PageEvent => ({ type: 'page.read', rows, isLast: rows === 0 })

test('pages are read until one is empty, however large the server makes them', () => {
  const { asked, facts } = start((_from, n) => page([2, 3, 0][n - 1] ?? 0))
  expect([facts(), asked]).toEqual([
    ['done', 5],
    [0, 2, 5],
  ])
})

test('a page that failed is asked for again; what can’t help is told, and can be gone on with', () => {
  const { actor, asked, clock, facts } = start((from, n) => {
    if (n === 2) return { type: 'page.failed', failure: { kind: 'network', message: 'gone' } }
    if (n === 3) return { type: 'page.failed', failure: { kind: 'forbidden', message: 'no' } }
    return page(from >= 4 ? 0 : 2)
  })
  expect(facts()).toEqual(['waiting', 2])
  clock.advance(1_000)
  expect(facts()).toEqual(['stopped', 2])
  actor.send({ type: 'export.resume' })
  expect([facts(), asked]).toEqual([
    ['done', 4],
    [0, 2, 2, 2, 4],
  ])
})

test('a pause gives the page up that is under way, and asks for it anew', () => {
  const { actor, asked, facts } = start((_from, n) => (n === 1 ? undefined : page(0)))
  actor.send({ type: 'export.pause' })
  expect(facts()).toEqual(['paused', 0])
  actor.send({ type: 'export.resume' })
  expect([facts(), asked]).toEqual([
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
  expect(PAGES.map(writer.take)).toEqual([2, 1, 0])
  expect(await writer.file().text()).toBe(text)
})

test('an empty table is a file with its names, or an empty list', async () => {
  expect(await createExportWriter('csv', ['a', 'b']).file().text()).toBe('a,b\r\n')
  expect(JSON.parse(await createExportWriter('json', []).file().text())).toEqual([])
})

test('pages have a whole order, and leave the range of the screen behind', () => {
  const id: Column = {
    name: 'id',
    type: 'integer',
    format: 'bigint',
    required: true,
    hasDefault: true,
    isKey: true,
  }
  const info = { name: 'log', columns: [id], rights: ALL_RIGHTS, known: true }
  const query: TableQuery = {
    schema: 'harbour',
    table: 'log',
    columns: ['note'],
    filters: [{ column: 'note', operator: 'ilike', value: '*a&b*', negate: false }],
    sorts: [{ column: 'at', direction: 'desc' }],
    range: { from: 40, to: 60 },
  }
  expect(pageOf(scopeQuery(query, info, 'matching'), 1_000)).toEqual({
    path: '/rest/v1/log?select=note&note=ilike.*a%26b*&order=at.desc,id.asc&offset=1000&limit=1000',
    headers: { accept: 'application/json', 'Accept-Profile': 'harbour' },
  })
  expect(pageOf(scopeQuery(query, info, 'all'), 0).path).toBe(
    '/rest/v1/log?select=*&order=id.asc&offset=0&limit=1000',
  )
})
