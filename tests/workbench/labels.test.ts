// Labels of foreign keys: which column is shown, how often it is read, and what happens without access.
import { expect, test, vi } from 'vitest'
import type { ChartroomClient } from '../../src/public/index.ts'
import { LabelStore, labelSources, titleColumn } from '../../src/services/workbench/table/labels.ts'
import { ALL_RIGHTS, type Column, type TableInfo } from '../../src/services/workbench/table/index.ts'
import { column } from '../harness/column.ts'

const tableOf = (name: string, columns: readonly Column[]): TableInfo => ({
  name,
  columns,
  rights: ALL_RIGHTS,
  isKnown: true,
})
const id = column('id', 'bigint', { isKey: true })
const VESSELS = tableOf('vessels', [id, column('call_sign', 'text'), column('name', 'text')])
const vessel = column('vessel', 'bigint', { references: { table: 'vessels', column: 'id' } })
const SOURCE = { column: 'vessel', table: 'vessels', key: 'id', label: 'name' }

test.each<[readonly string[], string | undefined]>([
  [['note', 'email', 'name'], 'name'],
  [['title', 'full_name'], 'title'],
  [['note', 'email'], 'email'],
  [['note', 'remark'], 'note'],
  [['id'], undefined],
])('of the texts %j, the label is %s', (names, label) => {
  const texts = names.map(name => column(name, 'text'))
  expect(titleColumn(tableOf('t', [column('size', 'integer'), ...texts]), [{ name: 'id' }])?.name).toBe(label)
})

test('references of several columns, and to unknown tables, have no labels', () => {
  const pairs = [{ ours: 'vessel', theirs: 'id' }]
  const composite = { ...vessel, references: { table: 'vessels', column: 'id', pairs } }
  const infoOf = (name: string) => (name === 'vessels' ? VESSELS : undefined)
  expect(labelSources([id, vessel], infoOf)).toEqual([SOURCE])
  expect(labelSources([composite], infoOf)).toEqual([])
  expect(labelSources([vessel], () => undefined)).toEqual([])
})

const json =
  (body: unknown, status = 200) =>
  () =>
    Promise.resolve(Response.json(body, { status }))

/** A store that gets these responses one after the other. */
function storeWith(...answers: readonly (() => Promise<Response>)[]) {
  const left = [...answers]
  const sent: string[] = []
  const fetch = (path: string) => {
    sent.push(decodeURIComponent(path).replaceAll('+', ' '))
    const answer = left.shift()
    if (answer === undefined) throw new Error(`Not expected: ${path}`)
    return answer()
  }
  const store = new LabelStore({ fetch } as unknown as ChartroomClient, {
    schema: 'public',
    table: 'voyages',
  })
  return { store, sent }
}

const settled = async (count: number, listed: readonly unknown[]) =>
  vi.waitFor(() => expect(listed).toHaveLength(count))

test('one request reads the keys of a page, each once', async () => {
  const { store, sent } = storeWith(
    json([
      { key: '9007199254740993', label: 'Gull' },
      { key: '2', label: null },
      { key: '3', label: ' ' },
    ]),
    json([{ key: '4', label: 'x'.repeat(500) }]),
  )
  const page = ['9007199254740993', '2', '3', null, '2'].map(value => ({ vessel: value }))
  store.watch([SOURCE], page)
  store.watch([SOURCE], page)
  const heard: number[] = []
  store.subscribe(() => heard.push(1))
  await settled(1, heard)
  expect(sent).toEqual(['/rest/v1/vessels?select=key:id::text,label:name&id=in.("9007199254740993","2","3")'])
  expect(store.labels()).toEqual(new Map([['vessel', new Map([['9007199254740993', 'Gull']])]]))
  store.watch([SOURCE], [...page, { vessel: 4 }])
  await settled(2, heard)
  expect(sent[1]).toMatch(/id=in\.\("4"\)$/)
  expect(store.labels().get('vessel')?.get('4')).toBe('x'.repeat(120))
})

test('a table that can’t be read is asked once, and has no labels', async () => {
  const { store, sent } = storeWith(json({ code: '42501', message: 'permission denied' }, 403))
  store.watch([SOURCE], [{ vessel: 1 }])
  await settled(1, sent)
  // The store reads a refusal with code that loads when the first one arrives.
  await vi.dynamicImportSettled()
  await new Promise(resolve => setTimeout(resolve))
  store.watch([SOURCE], [{ vessel: 2 }])
  expect([sent.length, store.labels()]).toEqual([1, new Map()])
})

test('keys are read again after a failure that may pass', async () => {
  const { store, sent } = storeWith(json({ message: 'Down.' }, 503), json([{ key: '1', label: 'Gull' }]))
  store.watch([SOURCE], [{ vessel: 1 }])
  await vi.waitFor(() => {
    store.watch([SOURCE], [{ vessel: 1 }])
    expect(store.labels().get('vessel')?.get('1')).toBe('Gull')
  })
  expect(sent).toHaveLength(2)
})
