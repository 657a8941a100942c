// Virtualized rows in a pane that just appears: the requested row is shown once there is space.
import { useEffect, useRef } from 'react'
import { expect, test, vi } from 'vitest'
import { useRowWindow } from '../../src/ui/console/use-row-window.ts'
import '../harness/react.tsx'

const { createRoot } = await import('react-dom/client')
const { act } = await import('react')

const resized = new Set<() => void>()
vi.stubGlobal(
  'ResizeObserver',
  class {
    constructor(run: () => void) {
      resized.add(run)
    }
    observe = () => undefined
    disconnect = () => undefined
  },
)

interface RowsProps {
  readonly row: number
  /** Called after the row was revealed, before React renders the result. */
  readonly afterReveal?: () => void
}

function Rows({ row, afterReveal }: RowsProps) {
  const scroller = useRef<HTMLDivElement>(null)
  const { reveal } = useRowWindow({ count: 100, size: 24, scroller, head: 24 })
  useEffect(() => {
    reveal(row)
    afterReveal?.()
  }, [reveal, row, afterReveal])
  return <div ref={scroller} />
}

function mockHeight(height: number) {
  const element = Object.getPrototypeOf(Object.getPrototypeOf(document.createElement('div'))) as HTMLElement
  return vi.spyOn(element, 'clientHeight', 'get').mockReturnValue(height)
}

/** Whether row 50, with one more above and below, is within a pane of 240 px. */
function showsRow50(element: Element | null): boolean {
  const top = element?.scrollTop ?? 0
  return top <= 49 * 24 && top + 240 >= 52 * 24 + 24
}

test('a row is shown with one more above and below, also in a pane that grows', async () => {
  const place = document.body.appendChild(document.createElement('div'))
  const root = createRoot(place)
  const height = mockHeight(30)
  await act(async () => root.render(<Rows row={50} />))
  height.mockReturnValue(240)
  await act(async () => resized.forEach(run => run()))
  expect(showsRow50(place.firstElementChild)).toBe(true)
  await act(async () => root.unmount())
})

test('a row is shown when a scrollbar appears before the scroll is applied', async () => {
  const place = document.body.appendChild(document.createElement('div'))
  const root = createRoot(place)
  mockHeight(240)
  await act(async () => root.render(<Rows row={0} />))
  await act(async () => root.render(<Rows row={50} afterReveal={() => resized.forEach(run => run())} />))
  expect(showsRow50(place.firstElementChild)).toBe(true)
  await act(async () => root.unmount())
})
