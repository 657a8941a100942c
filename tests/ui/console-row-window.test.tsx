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

function Rows({ row }: { readonly row: number }) {
  const scroller = useRef<HTMLDivElement>(null)
  const { reveal } = useRowWindow({ count: 100, size: 24, scroller, head: 24 })
  useEffect(() => reveal(row), [reveal, row])
  return <div ref={scroller} />
}

test('a row is shown with one more above and below, also in a pane that grows', async () => {
  const place = document.body.appendChild(document.createElement('div'))
  const root = createRoot(place)
  const height = vi
    .spyOn(
      Object.getPrototypeOf(Object.getPrototypeOf(document.createElement('div'))) as HTMLElement,
      'clientHeight',
      'get',
    )
    .mockReturnValue(30)
  await act(async () => root.render(<Rows row={50} />))
  const element = place.firstElementChild
  height.mockReturnValue(240)
  await act(async () => resized.forEach(run => run()))
  const top = element?.scrollTop ?? 0
  expect([top <= 49 * 24, top + 240 >= 52 * 24 + 24]).toEqual([true, true])
  await act(async () => root.unmount())
})
