// Points, sizes and boxes of a drawing, and lines with rounded corners.

export interface Point {
  readonly x: number
  readonly y: number
}

export interface Size {
  readonly width: number
  readonly height: number
}

export interface Box extends Point, Size {}

const CORNER = 6

/** Returns a line through the points with rounded corners. */
export function rounded(points: readonly Point[]): string {
  const [first] = points
  if (!first) return ''
  const corners = points.slice(1, -1).map((corner, at) => {
    const [before = corner, after = corner] = [points[at], points[at + 2]]
    const enter = towards(corner, before)
    const leave = towards(corner, after)
    return `L${enter.x} ${enter.y}Q${corner.x} ${corner.y} ${leave.x} ${leave.y}`
  })
  const last = points.at(-1) ?? first
  return `M${first.x} ${first.y}${corners.join('')}L${last.x} ${last.y}`
}

function towards(from: Point, to: Point): Point {
  const length = Math.hypot(to.x - from.x, to.y - from.y)
  const part = length === 0 ? 0 : Math.min(CORNER, length / 2) / length
  return { x: from.x + (to.x - from.x) * part, y: from.y + (to.y - from.y) * part }
}
