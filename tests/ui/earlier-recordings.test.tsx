// The list of earlier recordings: each shows how it ended, when, how long it was, and its size.
import { act } from 'react'
import { expect, test } from 'vitest'
import { EarlierRecordings } from '../../src/ui/console/file/earlier-recordings.tsx'
import type { StoredRecording, TraceStore } from '../../src/services/recording/index.ts'
import { CommandRegistry } from '../../src/ui/widgets/palette/registry.ts'
import { CommandsContext } from '../../src/ui/widgets/palette/use-commands.ts'
import { field, press, write } from '../harness/by-role.tsx'
import '../harness/lost-session.tsx'
import { eventually, renderAlone } from '../harness/react.tsx'

const recording = (id: string, state: StoredRecording['state']): StoredRecording => ({
  id,
  system: 'chartroom',
  startedAt: '2026-11-22T12:26:10.000Z',
  duration: 19_000,
  stimuli: 10,
  steps: 302,
  failures: 0,
  bytes: 12_000,
  state,
  writer: 'tab',
  name: '',
  user: undefined,
  kept: false,
  shortened: false,
})

/** The list of a store with these recordings. */
async function openList(listed: StoredRecording[]) {
  const rename = (id: string, name: string) => {
    listed = listed.map(one => (one.id === id ? { ...one, name } : one))
    return Promise.resolve()
  }
  const store = { list: () => Promise.resolve(listed), status: () => ({}), rename } as unknown as TraceStore
  const nothing = () => undefined
  await renderAlone(
    <CommandsContext value={new CommandRegistry()}>
      <EarlierRecordings load={() => Promise.resolve(store)} onOpen={nothing} onCompare={nothing} />
    </CommandsContext>,
  )
  await press('Earlier recordings')
  const texts = () => [...document.querySelectorAll('[role=dialog] li')].map(row => row.textContent)
  await eventually(() => expect(texts()).toHaveLength(listed.length))
  return { texts, names: () => listed.map(({ name }) => name) }
}

test('a recording says whether it runs, ended, or lost its tab by a close or a reload', async () => {
  const { texts } = await openList([
    recording('a', 'running'),
    recording('b', 'closed'),
    recording('c', 'cutOff'),
  ])
  const facts = texts().map(text =>
    text
      .split(' · ')
      .slice(0, 3)
      .join(' · ')
      .replace(/^.*\d\d:\d\d:\d\d( [AP]M)?/, ''),
  )
  expect(facts).toEqual(
    ['running', 'ended', 'tab closed or reloaded'].map(state => `${state} · 0:19 · 302 events`),
  )
})

test('a recording shows its failures and its user', async () => {
  const id = '6f1c2a7e-9d3b-4c55-8a10-2f4f6f0f7a11'
  const { texts } = await openList([
    { ...recording('a', 'closed'), failures: 3, user: id },
    recording('b', 'closed'),
  ])
  expect(texts()[0]).toContain(' · 302 events · 3 failures · user 6f1c2a7e · ')
  expect(texts()[1]).toContain(' · 302 events · no failures · ')
})

const NAME = 'Name of the recording'

test('a recording gets a name, which Escape does not change', async () => {
  const { texts, names } = await openList([recording('a', 'closed')])
  await press('Rename')
  await write(NAME, '  Before the fix ')
  await act(async () => field(NAME).form?.requestSubmit())
  await eventually(() => expect(texts()[0]).toMatch(/^Before the fix.*ended/))
  await press('Rename')
  await write(NAME, 'Other')
  const escape = new KeyboardEvent('keydown', { key: 'Escape', bubbles: true })
  await act(async () => field(NAME).dispatchEvent(escape))
  await eventually(() => expect(texts()[0]).toMatch(/^Before the fix/))
  expect(names()).toEqual(['Before the fix'])
})
