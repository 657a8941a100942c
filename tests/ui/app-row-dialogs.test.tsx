// Rows and folders that were not made yet: what was written is there again when its user is.
import {
  createMemoryHistory,
  createRootRoute,
  createRouter,
  RouterProvider,
  type AnyRouter,
} from '@tanstack/react-router'
import { useState } from 'react'
import { expect, test, vi } from 'vitest'
import { RowDialog } from '../../src/ui/app/data/row-dialog.tsx'
import type { Column, Row, TableInfo } from '../../src/ui/app/data/schema.ts'
import { TablesProvider } from '../../src/ui/app/data/tables.tsx'
import type { RowWrites } from '../../src/ui/app/data/use-row-form.ts'
import { NewFolderDialog } from '../../src/ui/app/files/folder/new-folder-dialog.tsx'
import { MoveDialog } from '../../src/ui/app/files/jobs/move-dialog.tsx'
import { dialogs, field, press, text, write } from '../harness/by-role.tsx'
import { json } from '../harness/fake-backend.ts'
import { eventually } from '../harness/react.tsx'
import { open, passes, stored } from '../harness/lost-session.tsx'

// What a router and the work on files look for.
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
  known: true,
}
const insert = vi.fn<RowWrites['insert']>(() => Promise.resolve(undefined))
const update = () => Promise.resolve(undefined)

function Asked({ info, from }: { readonly info: TableInfo; readonly from?: Row }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <button type="button" onClick={() => setOpen(true)}>
        Ask for it
      </button>
      {isOpen ? (
        <RowDialog
          info={info}
          {...(from && { from })}
          writes={{ insert, update }}
          onDone={() => undefined}
          onClose={() => setOpen(false)}
        />
      ) : null}
    </>
  )
}

/** At an address, which the tables are of. */
function atAddress(page: React.JSX.Element) {
  const routeTree = createRootRoute({ component: () => <TablesProvider>{page}</TablesProvider> })
  const router: AnyRouter = createRouter({ routeTree, history: createMemoryHistory() })
  return <RouterProvider router={router} />
}

const asks = async () => {
  await eventually(() => expect(document.body.textContent).toContain('Ask for it'))
  await press('Ask for it')
}

test('a row that is like another', async () => {
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

test('a row as JSON, where the columns are not told', async () => {
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
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <button type="button" onClick={() => setOpen(true)}>
        Ask for it
      </button>
      {isOpen ? (
        <NewFolderDialog
          bucket="charts"
          path={path}
          names={[]}
          onMade={() => undefined}
          onClose={() => setOpen(false)}
        />
      ) : null}
    </>
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
  await press('Make folder')
  await eventually(() => expect(dialogs()).toEqual([]))
  expect([...stored]).toEqual([])
})

const TARGETS = [{ path: 'north/shoals.png', isFolder: false }]

function Renamed() {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <button type="button" onClick={() => setOpen(true)}>
        Ask for it
      </button>
      {isOpen ? (
        <MoveDialog
          bucket="charts"
          mode="rename"
          targets={TARGETS}
          onChanged={() => undefined}
          onClose={() => setOpen(false)}
        />
      ) : null}
    </>
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
