// The list of earlier recordings: each shows how it ended, when, how long it was, and its size.
import { expect, test } from 'vitest'
import { EarlierRecordings } from '../../src/ui/console/file/earlier-recordings.tsx'
import type { StoredRecording, TraceStore } from '../../src/services/recording/index.ts'
import { CommandRegistry } from '../../src/ui/widgets/palette/registry.ts'
import { CommandsContext } from '../../src/ui/widgets/palette/use-commands.ts'
import { press } from '../harness/by-role.tsx'
import '../harness/lost-session.tsx'
import { eventually, renderAlone } from '../harness/react.tsx'

const recording = (id: string, state: StoredRecording['state']): StoredRecording => ({
  id,
  system: 'chartroom',
  startedAt: '2026-11-22T12:26:10.000Z',
  duration: 19_000,
  stimuli: 10,
  steps: 302,
  bytes: 12_000,
  state,
  writer: 'tab',
  kept: false,
  shortened: false,
})

test('a recording says whether it runs, ended, or lost its tab by a close or a reload', async () => {
  const listed = [recording('a', 'running'), recording('b', 'closed'), recording('c', 'cutOff')]
  const store = { list: () => Promise.resolve(listed), status: () => ({}) } as unknown as TraceStore
  const nothing = () => undefined
  await renderAlone(
    <CommandsContext value={new CommandRegistry()}>
      <EarlierRecordings load={() => Promise.resolve(store)} onOpen={nothing} onCompare={nothing} />
    </CommandsContext>,
  )
  await press('Earlier recordings')
  const facts = () =>
    [...document.querySelectorAll('[role=dialog] li')].map(row =>
      row.textContent
        .split(' · ')
        .slice(0, 3)
        .join(' · ')
        .replace(/^.*\d\d:\d\d:\d\d( [AP]M)?/, ''),
    )
  await eventually(() =>
    expect(facts()).toEqual(
      ['running', 'ended', 'tab closed or reloaded'].map(state => `${state} · 0:19 · 302 events`),
    ),
  )
})
