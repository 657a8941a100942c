// Undo and redo of cells: the previous values are written back by key, never over later writes of other
// users.
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { TableHistory } from '../../../src/services/workbench/table/table-session.ts'
import type { RowChange } from '../../../src/services/workbench/table/index.ts'
import { beginEdits, REFUSED, SILENCE, WAS } from '../../harness/edit-store.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

function beginHistory() {
  const begun = beginEdits()
  const orders: string[][] = []
  const history = new TableHistory({
    write: begun.store.make,
    order: rows => orders.push([...rows.keys()]),
    removeImport: rows => orders.push(['import', ...rows.keys()]),
    takeBack: order => order === 1,
  })
  begun.listen(history)
  return { ...begun, history, orders }
}

const NOTE: RowChange = { key: '1', row: WAS, before: { note: 'old' }, after: { note: '' } }

test('undo writes the previous value over what the change had left, redo writes it again', async () => {
  const { history, sent, answer } = beginHistory()
  history.change('Cleared 1 cell in 1 row', [NOTE])
  await answer({ type: 'saved', row: { ...WAS, note: '' } })
  expect(history.undo()).toMatchObject({ type: 'done', entry: { title: 'Cleared 1 cell in 1 row' } })
  expect(sent.map(({ row, values }) => [row['note'], values])).toEqual([
    ['old', { note: '' }],
    ['', { note: 'old' }],
  ])
  await answer({ type: 'saved', row: WAS })
  history.redo()
  expect(sent.at(-1)).toMatchObject({ row: { note: 'old' }, values: { note: '' } })
  expect([history.redo().type, history.undo().type, history.undo().type]).toEqual(['empty', 'done', 'empty'])
})

test('undo of a pending change is written after it', async () => {
  const { history, sent, answer } = beginHistory()
  history.change('Cleared', [NOTE])
  history.undo()
  expect(sent).toHaveLength(1)
  await answer({ type: 'saved', row: { ...WAS, note: '' } })
  expect(sent.at(-1)).toMatchObject({ row: { note: '' }, values: { note: 'old' } })
})

test('a notice undoes only its own change, also after the change was saved', async () => {
  const { history, answer } = beginHistory()
  const first = history.change('Cleared', [NOTE])
  await answer({ type: 'saved', row: { ...WAS, note: '' } })
  if (first === undefined) throw new Error('Nothing was changed')
  expect(history.isLast(first)).toBe(true)
  history.change('Changed lit', [{ key: '1', row: WAS, before: { lit: null }, after: { lit: 'true' } }])
  expect(history.isLast(first)).toBe(false)
})

test('later writes of other users are a conflict for undo, also after another cell was saved', async () => {
  const { store, history, sent, answer } = beginHistory()
  history.change('Cleared', [NOTE])
  await answer({ type: 'saved', row: { ...WAS, note: '' } })
  const theirs = { ...WAS, note: 'theirs' }
  history.change('Changed lit', [{ key: '1', row: WAS, before: { lit: null }, after: { lit: 'true' } }])
  await answer({ type: 'saved', row: { ...theirs, lit: 'true' } })
  history.undo()
  await answer({ type: 'saved', row: theirs })
  history.undo()
  // The condition of the write is what the change had left.
  expect(sent.at(-1)).toMatchObject({ row: { note: '' }, values: { note: 'old' } })
  await answer({ type: 'conflict', theirs })
  expect(store.edits().map(({ state }) => state)).toEqual([{ at: 'conflict', theirs }])
})

test('undo after “Keep your value” restores what that overwrote', async () => {
  const { store, history, sent, answer } = beginHistory()
  history.change('Cleared', [NOTE])
  await answer({ type: 'conflict', theirs: { ...WAS, note: 'theirs' } })
  store.retry(1)
  await answer({ type: 'saved', row: { ...WAS, note: '' } })
  history.undo()
  expect(sent.at(-1)).toMatchObject({ row: { note: '' }, values: { note: 'theirs' } })
})

test('a change that was rejected is withdrawn by undo and never sent again', async () => {
  const { store, history, sent, answer } = beginHistory()
  history.change('Cleared', [NOTE])
  await answer({ type: 'failed', failure: REFUSED })
  expect(history.undo().type).toBe('done')
  await vi.advanceTimersByTimeAsync(60_000)
  expect([sent.length, store.edits()]).toEqual([1, []])
  // Discarded before: there is nothing left to undo.
  history.change('Cleared', [NOTE])
  await answer({ type: 'failed', failure: REFUSED })
  store.cancel(2)
  expect(history.undo().type).toBe('late')
})

test('a change that may have reached the server is written back, not withdrawn', async () => {
  const { history, values, answer } = beginHistory()
  history.change('Cleared', [NOTE])
  await answer({ type: 'failed', failure: SILENCE })
  history.undo()
  expect(values()).toEqual([{ note: '' }, { note: 'old' }])
})

test('an undone change of the key is written back under the new key', async () => {
  const { history, sent, answer } = beginHistory()
  history.change('Changed id', [{ key: '1', row: WAS, before: { id: '1' }, after: { id: '7' } }])
  await answer({ type: 'saved', row: { ...WAS, id: '7' } })
  history.undo()
  expect(sent.at(-1)).toMatchObject({ row: { id: '7' }, values: { id: '1' } })
})

test('undo cancels a waiting deletion, redo requests it again; then undo is too late', () => {
  const { history, orders } = beginHistory()
  const rows = new Map([['1', WAS]])
  history.deleted('Deleting 1 row', rows, 1)
  expect([history.undo().type, orders]).toEqual(['done', []])
  expect([history.redo().type, orders]).toEqual(['done', [['1']]])
  history.deleted('Deleting 1 row', rows, 2)
  expect(history.undo().type).toBe('late')
  history.deleted('Deleting 1 row', rows, 3)
  history.forget(3)
  expect(history.undo()).toMatchObject({ entry: { order: 1 } })
})

const IMPORTED = new Map([
  ['7', { id: '7' }],
  ['8', { id: '8' }],
])

test('undo of an import deletes its rows; redo cancels that deletion while it waits', () => {
  const { history, orders } = beginHistory()
  const entry = history.imported('Import of 2 rows into log', IMPORTED)
  expect(history.undo()).toMatchObject({ type: 'done', entry: { id: entry.id, order: 1 } })
  expect(orders).toEqual([['import', '7', '8']])
  expect(history.redo().type).toBe('done')
  expect(history.undo().type).toBe('done')
  // The second deletion was sent.
  expect([history.redo().type, history.redo().type, history.undo().type]).toEqual(['late', 'empty', 'empty'])
})

test('an import is undone after later changes, which stay undoable', () => {
  const { history, orders } = beginHistory()
  const entry = history.imported('Import of 2 rows into log', IMPORTED)
  history.deleted('Deleting 1 row of log', new Map([['1', WAS]]), 1)
  expect(history.undo(entry.id)).toMatchObject({ type: 'done', entry: { kind: 'import' } })
  expect(orders).toEqual([['import', '7', '8']])
  expect(history.undo(entry.id)).toEqual({ type: 'empty' })
  expect(history.undo()).toMatchObject({ type: 'done', entry: { kind: 'deletion' } })
})

test('an import whose deletion was canceled can be undone again', () => {
  const { history, orders } = beginHistory()
  history.imported('Import of 2 rows into log', IMPORTED)
  history.undo()
  history.forget(1)
  expect(history.redo()).toEqual({ type: 'empty' })
  expect(history.undo()).toMatchObject({ type: 'done', entry: { order: 2 } })
  expect(orders).toHaveLength(2)
})
