// Paths of the diagram, on the page and in its file.
import { rounded } from '../../widgets/drawing/geometry.ts'
import { HEAD, type KeyEnd, type PlacedKey } from './diagram-layout.ts'

export const CORNER = 7

/** The head of a table: its upper corners are rounded. */
export const headPath = (width: number, height: number): string => {
  const below = height <= HEAD ? `V${HEAD - CORNER}a7 7 0 0 1 -7 7H7a7 7 0 0 1 -7 -7Z` : `V${HEAD}H0Z`
  return `M0 7a7 7 0 0 1 7 -7H${width - CORNER}a7 7 0 0 1 7 7${below}`
}

/** Joins the columns of a composite key, inside of the table. */
const bracket = ({ x, outward, rows }: KeyEnd): string => {
  if (rows.length < 2) return ''
  const inner = x - outward * 5
  const ticks = rows.map(y => `M${x} ${y}H${inner}`).join('')
  return `${ticks}M${inner} ${Math.min(...rows)}V${Math.max(...rows)}`
}

const bar = ({ x, y, outward }: KeyEnd, away: number): string => `M${x + outward * away} ${y - 5}v10`

/** Many rows: a crow's foot. */
const foot = ({ x, y, outward }: KeyEnd): string => `M${x} ${y - 5}L${x + outward * 11} ${y}L${x} ${y + 5}`

/** None is possible: a circle. */
const circle = ({ x, y, outward }: KeyEnd): string =>
  `M${x + outward * 10} ${y}a3 3 0 1 0 ${outward * 6} 0a3 3 0 1 0 ${outward * -6} 0`

/** The line of a key: its way, how many rows each end has, and the columns of a composite key. */
export function keyPath({ key, points, referenced, referring }: PlacedKey): string {
  return [
    rounded(points),
    key.isUnique ? bar(referring, 7) : foot(referring),
    bar(referenced, 7),
    key.isOptional ? circle(referenced) : '',
    bracket(referenced),
    bracket(referring),
  ].join('')
}

/** How a table's primary and foreign keys are marked before the columns. */
export const keyMark = ({
  isKey,
  isReference,
}: {
  readonly isKey: boolean
  readonly isReference: boolean
}) => (isKey ? 'PK' : isReference ? 'FK' : '')

/** Colors of schemas in their order; more than these begin again. */
const SCHEMA_COLORS = [
  ['session', '#0b7285'],
  ['request', '#3a5fb0'],
  ['channel', '#2b7a4b'],
  ['connection', '#94409a'],
  ['refresh', '#86610f'],
  ['client', '#5f6b7a'],
] as const

const colorsOf = (schemas: readonly string[], schema: string) =>
  SCHEMA_COLORS[Math.max(0, schemas.indexOf(schema)) % SCHEMA_COLORS.length] ?? SCHEMA_COLORS[0]

/** The color of a schema on the page. */
export const schemaColor = (schemas: readonly string[], schema: string): string =>
  `var(--fam-${colorsOf(schemas, schema)[0]})`

/** The color of a schema in files, which are light. */
export const schemaFileColor = (schemas: readonly string[], schema: string): string =>
  colorsOf(schemas, schema)[1]
