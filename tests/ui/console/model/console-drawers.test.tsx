// The drawers: the one that was requested last is open, else the control panel.
import { expect, test } from 'vitest'
import { useDrawers, type Drawers } from '../../../../src/ui/console/layout/use-drawers.ts'
import { withPane, type Big } from '../../../../src/ui/console/model/frame-layout.ts'
import { START, type Layout } from '../../../../src/ui/console/model/place.ts'
import { renderAlone } from '../../../harness/react.tsx'

const { act, useEffect } = await import('react')

/** The open drawer after each request. */
async function drawersOf(list: readonly Big[]) {
  const seen: { last?: Drawers } = {}
  function Shown({ list, layout }: { readonly list: readonly Big[]; readonly layout: Layout }) {
    const drawers = useDrawers(list, layout)
    useEffect(() => {
      seen.last = drawers
    }, [drawers])
    return null
  }
  const page = await renderAlone(<Shown list={list} layout={START.layout} />)
  return {
    open: () => seen.last?.open,
    toggle: (pane: Big) => act(async () => seen.last?.toggle(pane)),
    show: (layout: Layout, now = list) => page.show(<Shown list={now} layout={layout} />),
  }
}

const { layout } = START

test('one is open at a time, and closes again', async () => {
  const { open, toggle } = await drawersOf(['tree', 'event'])
  expect(open()).toBeUndefined()
  await toggle('tree')
  expect(open()).toBe('tree')
  await toggle('event')
  expect(open()).toBe('event')
  await toggle('event')
  expect(open()).toBeUndefined()
})

test('that of the selected event opens when one of its tabs is requested, even if it is already selected', async () => {
  const { open, show, toggle } = await drawersOf(['tree', 'event'])
  const cause = { ...layout, inspector: 'cause' }
  await show(cause)
  expect(open()).toBe('event')
  await toggle('event')
  await show({ ...cause, center: 'timeline' })
  expect(open()).toBeUndefined()
  await show({ ...cause, center: 'timeline' })
  expect(open()).toBe('event')
})

test('a tab of the selected event opens no drawer if it has a column', async () => {
  const { open, show } = await drawersOf(['tree'])
  await show({ ...layout, inspector: 'cause' })
  await show({ ...layout, inspector: 'cause', center: 'timeline' }, ['tree', 'event'])
  expect(open()).toBeUndefined()
})

test('the control panel is open unless another is, and comes back with each of its commands', async () => {
  const { open, show, toggle } = await drawersOf(['tree', 'event', 'drive'])
  const frame = withPane(layout.frame, 'drive', true)
  await show({ ...layout, frame })
  expect(open()).toBe('drive')
  await toggle('event')
  expect(open()).toBe('event')
  await show({ ...layout, frame: withPane(frame, 'drive', true) })
  expect(open()).toBe('drive')
})
