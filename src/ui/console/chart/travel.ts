// Moves between states by arrow keys: to the nearest one in a direction.
import type { Box, Point } from './chart-geometry.ts'
import type { PlacedChart } from './placed-chart.ts'

/** A direction on the screen. */
export type Heading = 'left' | 'right' | 'up' | 'down'

/** How much more sideways distance counts than distance ahead. */
const ASIDE = 2.5

/**
 * Returns the path of the next state in a direction; the same path if there is none. Moving from a parent
 * enters its children only by its near edge, so that all can be reached.
 */
export function nextState({ boxes }: PlacedChart, from: string, heading: Heading): string {
  const start = boxes.find(({ state }) => state.path === from)
  if (!start) return boxes.find(({ isRoot }) => !isRoot)?.state.path ?? from
  const others = boxes.filter(box => box !== start && !box.isRoot)
  const reached = others.flatMap(box => {
    const cost = costOf(start, box, heading)
    return cost === undefined ? [] : [{ path: box.state.path, cost }]
  })
  return reached.toSorted((a, b) => a.cost - b.cost)[0]?.path ?? from
}

function costOf(from: Box, to: Box, heading: Heading): number | undefined {
  const [a, b] = [anchor(from), anchor(to)]
  const [dx, dy] = [b.x - a.x, b.y - a.y]
  const ahead = { left: -dx, right: dx, up: -dy, down: dy }[heading]
  const aside = Math.abs(heading === 'left' || heading === 'right' ? dy : dx)
  return ahead > 0 ? ahead + aside * ASIDE : undefined
}

/** A state's position is its name's: near its upper left corner, whatever it contains. */
const anchor = ({ x, y, width }: Box): Point => ({ x: x + Math.min(width / 2, 40), y: y + 16 })

/** Returns the path of the parent of the state at this path. */
export const parentOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf('.')))
