// Rows and folders that were not created yet: drafts are restored when their user returns.
import {
  createMemoryHistory,
  createRootRoute,
  createRouter,
  RouterProvider,
  type AnyRouter,
} from '@tanstack/react-router'
import { expect, test, vi } from 'vitest'
import { DraftRow } from '../../../../src/ui/app/data/draft-row.tsx'
import { RowDialog } from '../../../../src/ui/app/data/row-dialog.tsx'
import type { Column, TableInfo } from '../../../../src/services/workbench/table/index.ts'
import { TablesProvider } from '../../../../src/ui/app/data/tables.tsx'
import type { RowFormOptions, RowWrites } from '../../../../src/ui/app/data/use-row-form.ts'
import { NewFolderDialog } from '../../../../src/ui/app/files/folder/new-folder-dialog.tsx'
import { MoveDialog } from '../../../../src/ui/app/files/jobs/move-dialog.tsx'
import { dialogs, field, press, text, type, write } from '../../../harness/by-role.tsx'
import { json } from '../../../harness/fake-backend.ts'
import { eventually } from '../../../harness/react.tsx'
import { asks, OnAsk, open, passes, stored } from '../../../harness/lost-session.tsx'

const settings = new Map<string, string>()
vi.stubGlobal('localStorage', {
  getItem: (key: string) => settings.get(key) ?? null,
  setItem: (key: string, text: string) => settings.set(key, text),
})

// What the router and the file operations need.
vi.stubGlobal('self', window)
for (const name of ['scrollTo', 'addEventListener', 'removeEventListener'])
  vi.stubGlobal(name, () => undefined)

const column = (name: string, isKey = false): Column => ({
  name,
  type: 'text',
  format: 'text',
  required: false,
  hasDefault: isKey,
  isKey,
})
const LOG: TableInfo = {
  name: 'log_entries',
  columns: [column('id', true), column('wind')],
  rights: { insert: true, update: true, delete: true },
  isKnown: true,
}
const insert = vi.fn<RowWrites['insert']>(() => Promise.resolve(undefined))
const update = () => Promise.resolve(undefined)

interface AskedProps extends Pick<RowFormOptions, 'info' | 'row' | 'from' | 'onLeft'> {}

function Asked(form: AskedProps) {
  return (
    <OnAsk>
      {(isOpen, close) =>
        isOpen ? (
          <RowDialog {...form} writes={{ insert, update }} onDone={() => undefined} onClose={close} />
        ) : null
      }
    </OnAsk>
  )
}

/** At the address of the tables. */
function atAddress(page: React.JSX.Element) {
  const routeTree = createRootRoute({ component: () => <TablesProvider>{page}</TablesProvider> })
  const router: AnyRouter = createRouter({ routeTree, history: createMemoryHistory() })
  return <RouterProvider router={router} />
}

test('a duplicated row', async () => {
  const work = await open(atAddress(<Asked info={LOG} from={{ id: '7', wind: 'N 1' }} />))
  await asks()
  await write('wind', 'SW 9')
  await passes(work, async () => {
    await asks()
    expect(field('wind').value).toBe('N 1')
  })
  await asks()
  expect(field('wind').value).toBe('SW 9')
  await press('Cancel')
  await asks()
  expect(field('wind').value).toBe('N 1')
  await write('wind', 'W 2')
  await press('Add row')
  await eventually(() => expect(dialogs()).toEqual([]))
  expect(insert.mock.lastCall).toEqual([{ wind: 'W 2' }])
  expect([...stored]).toEqual([])
})

const writesInEditor = async (text: string) => {
  await press('Pick a day for day')
  const [input] = document.querySelectorAll<HTMLInputElement>('input[aria-label=day]')
  await type(input, text)
}
const DAYS: TableInfo = { ...LOG, columns: [column('id', true), { ...column('day'), type: 'date' }] }

test('text in an editor next to a field is applied to the field', async () => {
  const work = await open(atAddress(<Asked info={DAYS} from={{ id: '7', day: null }} />))
  await asks()
  await writesInEditor('2026-03-01')
  await work.losesSession()
  await work.comesBack('skipper')
  await asks()
  expect(field('day').value).toBe('2026-03-01')
})

test("and is one of the row's changes that its user decides about later", async () => {
  const row = { id: '7', day: null }
  const left = vi.fn<NonNullable<RowFormOptions['onLeft']>>()
  const work = await open(atAddress(<Asked info={DAYS} row={row} onLeft={left} />))
  await asks()
  await writesInEditor('2026-03-01')
  await work.losesSession()
  expect(left.mock.calls).toEqual([[row, { day: '2026-03-01' }]])
})

function InGrid() {
  const columns = LOG.columns.map((each, index) => ({
    column: each,
    index,
    left: 0,
    width: 90,
    isPinned: false,
    spare: 0,
  }))
  return (
    <DraftRow
      info={LOG}
      place={{ seen: columns, columns, width: 180, reveal: () => undefined }}
      me={undefined}
      writes={{ insert, update }}
      onDone={() => undefined}
      onClose={() => undefined}
    />
  )
}

test('text in a cell of a new row in the grid is applied to it', async () => {
  const work = await open(atAddress(<InGrid />))
  const wind = 'wind of the new row: '
  await eventually(() => expect(work.text()).toContain(`${wind}null`))
  await press(wind)
  await write('wind', 'SW 9')
  await work.losesSession()
  await work.comesBack('mate')
  await eventually(() => expect(work.text()).toContain(`${wind}null`))
  await work.losesSession()
  await work.comesBack('skipper')
  await eventually(() => expect(work.text()).toContain(`${wind}SW 9`))
})

test('a row as JSON, when the columns are unknown', async () => {
  const work = await open(atAddress(<Asked info={{ ...LOG, columns: [] }} />))
  await asks()
  const empty = text('Row').value
  await write('Row', '{"wind": "SW 9"')
  await passes(work, async () => {
    await asks()
    expect(text('Row').value).toBe(empty)
  })
  await asks()
  expect(text('Row').value).toBe('{"wind": "SW 9"')
  await press('Cancel')
  await asks()
  expect(text('Row').value).toBe(empty)
  await write('Row', '{"wind": "W 2"}')
  await press('Add row')
  await eventually(() => expect(dialogs()).toEqual([]))
  expect(insert.mock.lastCall).toEqual([{ wind: 'W 2' }])
  expect([...stored]).toEqual([])
})

function Folders({ path }: { readonly path: string }) {
  return (
    <OnAsk>
      {(isOpen, close) =>
        isOpen ? (
          <NewFolderDialog bucket="charts" path={path} names={[]} onMade={() => undefined} onClose={close} />
        ) : null
      }
    </OnAsk>
  )
}

test('a folder', async () => {
  const work = await open(<Folders path="north" />, {
    'POST /storage/v1/object/charts/': () => json({ Key: 'charts/north/soundings', Id: '1' }),
  })
  await asks()
  await write('Name', 'soundings')
  await passes(work, async () => {
    await asks()
    expect(field('Name').value).toBe('')
  })
  await work.show(<Folders path="south" />)
  await asks()
  expect(field('Name').value).toBe('')
  await press('Cancel')
  await work.show(<Folders path="north" />)
  await asks()
  expect(field('Name').value).toBe('soundings')
  await press('Create folder')
  await eventually(() => expect(dialogs()).toEqual([]))
  expect([...stored]).toEqual([])
})

const TARGETS = [{ path: 'north/shoals.png', isFolder: false }]

function Renamed() {
  return (
    <OnAsk>
      {(isOpen, close) =>
        isOpen ? (
          <MoveDialog
            bucket="charts"
            mode="rename"
            targets={TARGETS}
            onChanged={() => undefined}
            onClose={close}
          />
        ) : null
      }
    </OnAsk>
  )
}

test('a new name of a file', async () => {
  const work = await open(<Renamed />, { 'POST /storage/v1/object/move': () => json({ message: 'ok' }) })
  await asks()
  await write('Name', 'banks.png')
  await passes(work, async () => {
    await asks()
    expect(field('Name').value).toBe('shoals.png')
  })
  await asks()
  expect(field('Name').value).toBe('banks.png')
  await press('Cancel')
  await asks()
  expect(field('Name').value).toBe('shoals.png')
  await write('Name', 'banks.png')
  await press('Rename')
  await eventually(() => expect(dialogs()).toEqual([]))
  expect([...stored]).toEqual([])
})
