// Dialog drafts are restored for their user, and for no other.
import { act } from 'react'
import { expect, test, vi } from 'vitest'
import { SelectionBar } from '../../src/ui/app/data/selection-bar.tsx'
import type { GridModel } from '../../src/ui/app/data/use-grid.ts'
import type { TableModel } from '../../src/ui/app/data/use-table.ts'
import { BucketDialog } from '../../src/ui/app/files/buckets/bucket-dialog.tsx'
import type { Bucket } from '../../src/services/workbench/files/index.ts'
import { JoinDialog } from '../../src/ui/app/realtime/join-dialog.tsx'
import { USUAL_SETTINGS, type TopicSettings } from '../../src/services/workbench/realtime/index.ts'
import { box, dialogs, field, press, tick, write } from '../harness/by-role.tsx'
import { json } from '../harness/fake-backend.ts'
import { eventually } from '../harness/react.tsx'
import { asks, fill, OnAsk, open, passes, stored } from '../harness/lost-session.tsx'

const CHARTS: Bucket = { id: 'charts', isPublic: false, maxBytes: 5_000, types: ['image/png'] }

function Buckets({ bucket }: { readonly bucket?: Bucket }) {
  return (
    <OnAsk>
      {(isOpen, close) =>
        isOpen ? (
          <BucketDialog bucket={bucket} names={[]} onChanged={() => undefined} onClose={close} />
        ) : null
      }
    </OnAsk>
  )
}

test('a bucket that was not created yet', async () => {
  const { requests, ...work } = await open(<Buckets />, {
    'POST /storage/v1/bucket': () => json({ name: 'photos' }),
  })
  await asks()
  await write('Name', 'photos')
  await tick('Public')
  await write('Largest file', '5 MB')
  await passes({ requests, ...work }, async () => {
    await asks()
    expect([field('Name').value, box('Public').checked]).toEqual(['', false])
  })
  await asks()
  const now = () => [field('Name').value, box('Public').checked, field('Largest file').value]
  expect(now()).toEqual(['photos', true, '5 MB'])
  // Cancel clears the draft.
  await press('Cancel')
  await asks()
  expect(now()).toEqual(['', false, ''])
  // So does creating the bucket.
  await write('Name', 'photos')
  await press('Create bucket')
  await eventually(() => expect(dialogs()).toEqual([]))
  expect(requests.at(-1)).toMatchObject({ method: 'POST', path: '/storage/v1/bucket' })
  await asks()
  expect(now()).toEqual(['', false, ''])
  expect([...stored]).toEqual([])
})

test('a bucket’s settings: only manual changes are applied over the current settings', async () => {
  const work = await open(<Buckets bucket={CHARTS} />)
  await asks()
  await write('Types', 'image/*')
  await work.losesSession()
  await work.comesBack('skipper')
  await work.show(<Buckets bucket={{ ...CHARTS, maxBytes: 9_000 }} />)
  await asks()
  expect([field('Types').value, field('Largest file').value]).toEqual(['image/*', '9000'])
  await press('Close')
  // Another bucket is another form.
  await asks()
  await write('Types', 'image/*')
  await work.losesSession()
  await work.comesBack('skipper')
  await work.show(<Buckets bucket={{ ...CHARTS, id: 'photos' }} />)
  await asks()
  expect(field('Types').value).toBe('image/png')
})

test('a session that is lost while the bucket is being created: the draft is kept for retry', async () => {
  const made = Promise.withResolvers<Response>()
  const work = await open(<Buckets />, { 'POST /storage/v1/bucket': () => made.promise })
  await asks()
  await write('Name', 'photos')
  await press('Create bucket')
  await work.losesSession()
  await act(async () => made.resolve(json({ message: 'new row violates row-level security policy' }, 403)))
  await work.comesBack('skipper')
  await asks()
  expect(field('Name').value).toBe('photos')
})

test('a bucket that is created after its dialog was canceled does not affect the next dialog', async () => {
  const made = Promise.withResolvers<Response>()
  await open(<Buckets />, { 'POST /storage/v1/bucket': () => made.promise })
  await asks()
  await write('Name', 'photos')
  await press('Create bucket')
  await press('Cancel')
  await asks()
  await write('Name', 'logs')
  await act(async () => made.resolve(json({ name: 'photos' })))
  await eventually(() => expect(dialogs()).toEqual(['New bucket']))
  expect(field('Name').value).toBe('logs')
  expect([...stored.values()].map(text => JSON.parse(text) as unknown)).toEqual([{ id: 'logs' }])
})

test('when the tab’s storage rejects writes, drafts live as long as the page', async () => {
  fill()
  const work = await open(<Buckets />)
  await asks()
  await write('Name', 'photos')
  await work.losesSession()
  await work.comesBack('skipper')
  await asks()
  expect(field('Name').value).toBe('photos')
  await press('Cancel')
  await asks()
  expect(field('Name').value).toBe('')
})

function Topics(props: {
  readonly topic?: string
  readonly settings?: TopicSettings
  readonly onJoin: (topic: string, settings: TopicSettings) => void
}) {
  return <OnAsk>{(isOpen, close) => <JoinDialog {...props} isOpen={isOpen} onClose={close} />}</OnAsk>
}

test('a topic that was not joined yet', async () => {
  const joined = vi.fn<(topic: string, settings: TopicSettings) => void>()
  const work = await open(<Topics onJoin={joined} />)
  await asks()
  await write('Topic', 'bridge')
  await write('Presence key', 'wheel')
  await tick('Private')
  const now = () => [field('Topic').value, field('Presence key').value, box('Private').checked]
  await passes(work, async () => {
    await asks()
    expect(now()).toEqual(['', '', false])
  })
  await asks()
  expect(now()).toEqual(['bridge', 'wheel', true])
  // It survives closing; its settings can be reset, its name stays.
  await press('Cancel')
  await asks()
  await press('Reset')
  expect(now()).toEqual(['bridge', '', false])
  await write('Presence key', 'helm')
  await press('Join')
  expect(joined.mock.calls).toEqual([['bridge', { ...USUAL_SETTINGS, key: 'helm' }]])
  await work.losesSession()
  await work.comesBack('skipper')
  await asks()
  expect(now()).toEqual(['', '', false])
})

test('join settings: each topic has its own', async () => {
  const topic = (name: string) => <Topics topic={name} settings={USUAL_SETTINGS} onJoin={() => undefined} />
  let work = await open(topic('bridge'))
  await asks()
  await write('Presence key', 'wheel')
  await work.losesSession()
  await work.comesBack('skipper')
  await asks()
  expect(field('Presence key').value).toBe('wheel')
  // A reloaded page has another client.
  await work.unmount()
  work = await open(topic('bridge'))
  await asks()
  expect(field('Presence key').value).toBe('wheel')
  await press('Cancel')
  await work.show(topic('log'))
  await asks()
  expect(field('Presence key').value).toBe('')
})

const columnOf = (name: string) => ({ name, type: 'text', format: 'text', required: false, isKey: false })
const ROWS = [{ id: 1 }, { id: 2 }]
const LOADED = ROWS.map((row, index) => ({ key: String(row.id), index, row }))

type Edit = (row: unknown, values: unknown) => void

interface PlannedChange {
  readonly row: unknown
  readonly after: unknown
}

function Rows({ table, edit }: { readonly table: string; readonly edit: Edit }) {
  const columns = ['wind', 'note'].map(columnOf)
  const model = {
    query: { schema: 'public', table },
    pages: { info: { name: table, columns, rights: { update: true, delete: true } } },
    layout: { laid: columns.map(column => ({ column })) },
    edits: { cells: new Map(), latest: (row: unknown) => row },
    deletions: { leaving: new Set() },
    changes: {
      run: ({ changes }: { readonly changes: readonly PlannedChange[] }) => {
        for (const { row, after } of changes) edit(row, after)
      },
    },
    readOnly: undefined,
  }
  const grid = {
    selection: {
      cursor: { key: '2', index: 1, column: 'wind' },
      anchor: { key: '1', index: 0, column: 'wind' },
      rows: new Map(LOADED.map(({ key, row }) => [key, row])),
      unloaded: 0,
      columns: 'all',
      isPlaced: true,
    },
    view: {
      columns: ['wind', 'note'],
      rows: {
        at: (index: number) => LOADED[index],
        withKey: (key: string) => LOADED.find(row => row.key === key),
      },
    },
    actions: {},
  }
  return <SelectionBar table={model as unknown as TableModel} grid={grid as unknown as GridModel} />
}

test('one value for several rows', async () => {
  const edit = vi.fn<Edit>()
  const work = await open(<Rows table="log_entries" edit={edit} />)
  await press('Edit rows')
  expect(dialogs()).toEqual(['Edit 2 rows'])
  await write('wind', 'SW 9')
  await passes(work, async () => {
    await press('Edit rows')
    expect(field('wind').value).toBe('')
  })
  await press('Edit rows')
  expect(field('wind').value).toBe('SW 9')
  await press('Cancel')
  await press('Edit rows')
  expect(field('wind').value).toBe('')
  await write('wind', 'N 1')
  await work.losesSession()
  await work.comesBack('skipper')
  await work.show(<Rows table="voyages" edit={edit} />)
  await press('Edit rows')
  expect(field('wind').value).toBe('')
  await press('Cancel')
  await work.show(<Rows table="log_entries" edit={edit} />)
  await press('Edit rows')
  await press('Change 2 rows')
  expect(edit.mock.calls).toEqual(ROWS.map(row => [row, { wind: 'N 1' }]))
  await press('Edit rows')
  expect(field('wind').value).toBe('')
  expect([...stored]).toEqual([])
})
