// Where the backend does not report the primary key, `id` is assumed: nothing is written while it names several rows.
import { expect, test } from 'vitest'
import type { ChartroomClient } from '../../../../src/public/index.ts'
import { guessTable, type Row } from '../../../../src/services/workbench/table/index.ts'
import { deleteRows, sendEdit } from '../../../../src/services/workbench/table/edits/send.ts'

function writing(answers: readonly Row[]) {
  const requests: string[] = []
  const client = {
    fetch: (_path: string, init: RequestInit, options: { onStart: (id: string) => void }) => {
      requests.push(init.method ?? 'GET')
      options.onStart(`r${requests.length}`)
      return Promise.resolve(Response.json(answers))
    },
  } as unknown as ChartroomClient
  const info = guessTable('buoys', [{ id: 1, note: 'a' }])
  const query = { schema: 'public', table: 'buoys', columns: [], filters: [], sorts: [] }
  return { requests, writing: { client, query, info } }
}

const ROW: Row = { id: 1, note: 'a' }
const EDIT = { row: ROW, values: { note: 'b' } }
const REFUSED = { message: expect.stringContaining('several rows have this ID') as string, retry: false }

test('an edit of an id that several rows have is rejected before it is sent', async () => {
  const { requests, writing: to } = writing([ROW, { id: 1, note: 'other' }])
  expect(await sendEdit(to, EDIT)).toEqual({ type: 'failed', failure: REFUSED })
  expect(new Set(requests)).toEqual(new Set(['GET']))
})

test('a deletion of an id that several rows have is rejected before it is sent', async () => {
  const { requests, writing: to } = writing([ROW, { id: 1, note: 'other' }])
  expect(await deleteRows(to, [ROW])).toEqual({ ok: false, failure: REFUSED, deleted: [] })
  expect(requests).toEqual(['GET', 'GET'])
})

test('an id of one row is written and deleted', async () => {
  const { requests, writing: to } = writing([ROW])
  expect(await sendEdit(to, EDIT)).toEqual({ type: 'saved', row: ROW })
  expect((await deleteRows(to, [ROW])).ok).toBe(true)
  expect(requests).toEqual(['GET', 'GET', 'PATCH', 'GET', 'DELETE'])
})
