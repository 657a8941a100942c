// The bookmarks panel: the note being written stays with its step while a live trace grows.
import { expect, test, vi } from 'vitest'
import { BookmarksPanel } from '../../src/ui/console/bookmarks/bookmarks-panel.tsx'
import { ConsoleContext, type ConsoleValue } from '../../src/ui/console/use-console.ts'
import '../harness/react.tsx'
import { consoleParts } from './console-parts.ts'
import { actorEntries, traceSource, stepRecords } from './console-trace.ts'

const { createRoot } = await import('react-dom/client')
const { act } = await import('react')

// APIs that the fields need.
for (const name of ['HTMLElement', 'HTMLInputElement', 'HTMLTextAreaElement', 'SVGElement'] as const)
  vi.stubGlobal(name, window[name])

const parts = consoleParts(
  traceSource({
    actors: actorEntries(['door', 'door']),
    steps: stepRecords(['open', 'shut', 'open'].map(value => ({ actor: 0, type: 'go', value }))),
  }),
)

const nothing = () => undefined
test('opened at the end of a live trace, it stays with the event that was last then', async () => {
  const place = document.body.appendChild(document.createElement('div'))
  const root = createRoot(place)
  const at = (seq: number) => {
    const value = { ...parts, selection: { seq }, pick: nothing }
    return act(async () =>
      root.render(
        <ConsoleContext value={value as unknown as ConsoleValue}>
          <BookmarksPanel onDone={nothing} />
        </ConsoleContext>,
      ),
    )
  }
  await at(1)
  const field = place.querySelector('input')
  await at(2)
  expect([place.querySelector('input') === field, place.querySelector('label')?.textContent]).toEqual([
    true,
    'Note on #1',
  ])
  await act(async () => root.unmount())
})
