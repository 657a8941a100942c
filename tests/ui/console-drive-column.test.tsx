// The column shared by the control panel and the selected event: the last requested one is in front.
import { expect, test, vi } from 'vitest'
import { DriveColumn } from '../../src/ui/console/drive/drive-panel.tsx'
import { START } from '../../src/ui/console/model/place.ts'
import { ConsoleContext, type ConsoleValue } from '../../src/ui/console/use-console.ts'
import '../harness/react.tsx'

const { createRoot } = await import('react-dom/client')
const { act } = await import('react')

// APIs that tabs need.
for (const name of ['HTMLElement', 'SVGElement', 'ResizeObserver', 'MutationObserver'] as const)
  vi.stubGlobal(name, window[name])

const { group } = vi.hoisted(() => ({ group: { name: '' } }))
vi.mock('../../src/ui/console/layout/sized.tsx', () => ({ useGroupName: () => group.name }))
vi.mock('../../src/ui/console/state/inspector.tsx', () => ({ Inspector: () => <p>the event</p> }))

/** The tab in front after each action. */
async function column(name: string) {
  group.name = name
  const place = document.body.appendChild(document.createElement('div'))
  const root = createRoot(place)
  const show = (asked: number, layout = START.layout) => {
    const value = { place: { ...START, layout }, selection: { seq: 3 }, pick: () => undefined }
    return act(async () => {
      root.render(
        <ConsoleContext value={value as unknown as ConsoleValue}>
          <DriveColumn asked={asked}>
            <p>the control panel</p>
          </DriveColumn>
        </ConsoleContext>,
      )
    })
  }
  const front = () => [...place.querySelectorAll('p')].map(one => one.textContent)
  return {
    show,
    front,
    tabs: () => place.querySelectorAll('[role=tab]').length,
    end: () => act(async () => root.unmount()),
  }
}

test('with space for both, only the control panel is in the column', async () => {
  const { show, front, tabs, end } = await column('tree+center+event+drive')
  await show(1)
  expect([front(), tabs()]).toEqual([['the control panel'], 0])
  await end()
})

test('otherwise they share the column as tabs', async () => {
  const { show, front, tabs, end } = await column('tree+center+log+event/drive')
  const { layout } = START
  await show(1)
  expect([front(), tabs()]).toEqual([['the control panel'], 2])
  // A tab of the selected event, ...
  await show(1, { ...layout, inspector: 'cause' })
  expect(front()).toEqual(['the event'])
  // ... a control command, ...
  await show(2, { ...layout, inspector: 'cause' })
  expect(front()).toEqual(['the control panel'])
  // ... something else, ...
  const timeline = { ...layout, inspector: 'cause', center: 'timeline' } as const
  await show(2, timeline)
  expect(front()).toEqual(['the control panel'])
  // ... and again the tab that is open there.
  await show(2, { ...timeline })
  expect(front()).toEqual(['the event'])
  await end()
})
