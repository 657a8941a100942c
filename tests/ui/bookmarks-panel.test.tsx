// The bookmarks panel: the note being written stays with its step while a live trace grows.
import { expect, test, vi } from 'vitest'
import { BookmarksPanel } from '../../src/ui/console/bookmarks/bookmarks-panel.tsx'
import {
  PanelContext,
  BookmarksContext,
  type Bookmarks,
} from '../../src/ui/console/bookmarks/use-bookmarks.ts'
import { memoryTrace } from '../../src/ui/console/model/shown-trace.ts'
import { ConsoleContext, type ConsoleValue } from '../../src/ui/console/use-console.ts'
import '../harness/react.tsx'
import { actorEntries, traceSource, stepRecords } from './console-trace.ts'

const { createRoot } = await import('react-dom/client')
const { act } = await import('react')

// APIs that the fields need.
for (const name of ['HTMLElement', 'HTMLInputElement', 'HTMLTextAreaElement', 'SVGElement'] as const)
  vi.stubGlobal(name, window[name])

const { feed } = memoryTrace(
  traceSource({
    actors: actorEntries(['door', 'door']),
    steps: stepRecords(['open', 'shut', 'open'].map(value => ({ actor: 0, type: 'go', value }))),
  }),
)
feed.advance(10)

const nothing = () => undefined
const bookmarks: Bookmarks = {
  list: [],
  refusal: undefined,
  unsaved: 0,
  add: nothing,
  edit: nothing,
  remove: nothing,
  write: nothing,
  save: nothing,
}
const panel = { isOpen: true, setOpen: nothing, draft: undefined, setDraft: nothing, failure: undefined }

test('opened at the end of a live trace, it stays with the event that was last then', async () => {
  const place = document.body.appendChild(document.createElement('div'))
  const root = createRoot(place)
  const at = (seq: number) => {
    const value = { timeline: feed.timeline, selection: { seq }, pick: nothing }
    return act(async () =>
      root.render(
        <ConsoleContext value={value as unknown as ConsoleValue}>
          <BookmarksContext value={bookmarks}>
            <PanelContext value={panel}>
              <BookmarksPanel onDone={nothing} />
            </PanelContext>
          </BookmarksContext>
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
