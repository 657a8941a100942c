// The log shows the selected event, also if the trace is read faster than the log takes its rows.
import { expect, test, vi } from 'vitest'
import { Log } from '../../src/ui/console/log/log.tsx'
import { select, START } from '../../src/ui/console/model/place.ts'
import { RowFilter } from '../../src/ui/console/model/row-filter.ts'
import { ConsoleContext, type ConsoleValue } from '../../src/ui/console/use-console.ts'
import { CommandRegistry } from '../../src/ui/widgets/palette/registry.ts'
import { CommandsContext } from '../../src/ui/widgets/palette/use-commands.ts'
import { SECTIONS } from '../../src/ui/console/commands/use-commands.ts'
import '../harness/react.tsx'
import { consoleParts } from './console-parts.ts'
import { actorEntries, traceSource, stepRecords } from './console-trace.ts'

const { createRoot } = await import('react-dom/client')
const { act } = await import('react')

vi.stubGlobal(
  'ResizeObserver',
  class {
    observe = () => undefined
    disconnect = () => undefined
  },
)

const HEIGHT = 240
const SIZE = 300
const CHOSEN = 140

test('a selected event is shown as soon as the log has its row', async () => {
  const element = Object.getPrototypeOf(Object.getPrototypeOf(document.createElement('div'))) as HTMLElement
  vi.spyOn(element, 'clientHeight', 'get').mockReturnValue(HEIGHT)
  const parts = consoleParts(
    traceSource({
      actors: actorEntries(['door', 'door']),
      steps: stepRecords(Array.from({ length: SIZE }, () => ({ actor: 0, type: 'go' }))),
    }),
  )
  const { timeline, details } = parts
  const filter = new RowFilter('', timeline, details)
  const place = { ...START, seq: CHOSEN }
  const value = () =>
    ({
      ...parts,
      filter,
      place,
      go: vi.fn<() => void>(),
      pick: vi.fn<() => void>(),
      run: vi.fn<() => void>(),
      selection: select(place, timeline, timeline.size),
    }) satisfies ConsoleValue
  const box = document.body.appendChild(document.createElement('div'))
  const root = createRoot(box)
  const registry = new CommandRegistry(SECTIONS)
  const draw = () =>
    act(async () =>
      root.render(
        <CommandsContext value={registry}>
          <ConsoleContext value={value()}>
            <Log />
          </ConsoleContext>
        </CommandsContext>,
      ),
    )
  filter.advance(60, SIZE)
  await draw()
  filter.advance(SIZE, SIZE)
  await draw()
  const selected = box.querySelector('[aria-selected=true]')
  expect(selected?.getAttribute('data-seq')).toBe(String(CHOSEN))
  const top = box.querySelector('[role=grid]')?.scrollTop ?? 0
  expect(top).toBeLessThan(CHOSEN * 24)
  expect(top).toBeGreaterThan(CHOSEN * 24 - HEIGHT)
  await act(async () => root.unmount())
})
