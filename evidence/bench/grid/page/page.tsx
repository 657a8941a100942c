// The page of the grid benchmark: one of two grids with a million rows, and the scrolling.
import { createRoot } from 'react-dom/client'
import '../../../../src/ui/widgets/base.css'
import '../../../../src/ui/widgets/tokens.css'
import { Ours } from './ours.tsx'
import './page.css'
import { Peer } from './peer.tsx'

const nextFrame = () => new Promise<number>(resolve => requestAnimationFrame(resolve))

/** Shows a grid and waits until rows are drawn. */
async function show(which: 'ours' | 'peer'): Promise<void> {
  const root = createRoot(document.getElementById('root') ?? document.body)
  root.render(<div className="stage">{which === 'ours' ? <Ours /> : <Peer />}</div>)
  while (document.querySelectorAll('[role=row]').length < 10) await nextFrame()
}

/** Frames between two jumps to another part of the table. */
const LEAP = 40
/** Like a mouse wheel turned fast. */
const PIXELS = 240

/** Scrolls down, sideways and in jumps; returns the duration of each frame in milliseconds. */
async function scroll(frames: number): Promise<number[]> {
  const grid = document.querySelector('[role=grid]')
  if (!grid) throw new Error('there is no grid')
  const times: number[] = []
  let last = await nextFrame()
  for (let frame = 0; frame < frames; frame++) {
    if (frame % LEAP === LEAP - 1) grid.scrollTop = (grid.scrollHeight * ((frame * 37) % 100)) / 100
    else grid.scrollTop += PIXELS
    grid.scrollLeft = Math.abs(((frame * 40) % 3200) - 1600)
    const now = await nextFrame()
    times.push(now - last)
    last = now
  }
  // An empty grid would be fast in every frame.
  if (document.querySelectorAll('[role=gridcell]').length < 100) throw new Error('the grid drew no cells')
  return times
}

const bench = { show, scroll }

export type GridBench = typeof bench

Object.assign(window, { bench })
