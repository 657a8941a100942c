// Sizes of tables with the width of their texts, the graph for the layout engine, and the placed diagram.
import type { ElkExtendedEdge, ElkNode, ElkPort } from 'elkjs/lib/elk-api.js'
import type { Box, Point, Size } from '../../widgets/drawing/geometry.ts'
import {
  tableTitle,
  type Diagram,
  type DiagramColumn,
  type DiagramKey,
  type DiagramTable,
} from './diagram.ts'

/** Font sizes in pixels before zooming, as in diagram.module.css. */
export const FONTS = { title: 13, column: 12, type: 11 } as const
export const WEIGHTS = { title: 600, column: 400, type: 400 } as const

/** Returns the width of a text in pixels in the font of the given kind. */
export type Measure = (text: string, kind: keyof typeof FONTS) => number

/** Heights of a table's head and of each column, and the space below the last one. */
export const HEAD = 30
export const ROW = 20
const FOOT = 6
/** Distance of texts from the sides; the mark of a key is in front of its column. */
export const SIDE = 12
export const MARK = 20
const GAP = 16
const MIN_WIDTH = 130
const MAX_TITLE = 300
const MAX_NAME = 190
const MAX_TYPE = 120
/** More columns are given as a number, those of keys excepted. */
const MOST_ROWS = 30
/** Other fonts of the same size are up to this much wider. */
const SLACK = 1.06
const FAR_SIZES = { min: 13, max: 44 } as const

export interface PlacedRow {
  readonly column: DiagramColumn
  /** Name and type, shortened to the table's width. */
  readonly name: string
  readonly type: string
  /** The row's middle from the top of the table. */
  readonly y: number
}

interface SizedTable extends Size {
  readonly table: DiagramTable
  readonly title: string
  readonly kind: string
  readonly rows: readonly PlacedRow[]
  /** How many columns have no row. */
  readonly hiddenCount: number
  /** Font size of its name when only names are drawn. */
  readonly farSize: number
}

export interface PlacedTable extends SizedTable, Box {}

/** One end of a key: its side of the table, and the middles of its columns' rows in the drawing. */
export interface KeyEnd extends Point {
  /** Outward: -1 is left, 1 is right. */
  readonly outward: -1 | 1
  readonly rows: readonly number[]
}

export interface PlacedKey {
  readonly key: DiagramKey
  /** From the referenced table to the one with the key. */
  readonly points: readonly Point[]
  readonly referenced: KeyEnd
  readonly referring: KeyEnd
}

export interface PlacedDiagram extends Size {
  readonly diagram: Diagram
  readonly tables: readonly PlacedTable[]
  readonly keys: readonly PlacedKey[]
}

const letters = new Intl.Segmenter('en', { granularity: 'grapheme' })

/** Shortens a text to a width, by whole characters as a reader counts them. */
export function shorten(text: string, room: number, measure: (text: string) => number): string {
  if (measure(text) <= room) return text
  const parts = [...letters.segment(text)].map(({ segment }) => segment)
  let [low, high] = [0, parts.length]
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if (measure(`${parts.slice(0, middle).join('')}…`) <= room) low = middle
    else high = middle - 1
  }
  return `${parts.slice(0, low).join('')}…`
}

const kindWord = ({ kind, isListed }: DiagramTable): string =>
  isListed ? (kind === undefined || kind === 'table' ? '' : kind) : 'not listed'

const rowColumns = ({ columns }: DiagramTable): readonly DiagramColumn[] =>
  columns.length <= MOST_ROWS
    ? columns
    : columns.filter(({ isKey, isReference }, at) => at < MOST_ROWS || isKey || isReference)

function sizeTable(table: DiagramTable, diagram: Diagram, measure: Measure): SizedTable {
  const widthOf = (kind: keyof typeof FONTS) => (text: string) => measure(text, kind) * SLACK
  const title = shorten(tableTitle(table, diagram), MAX_TITLE, widthOf('title'))
  const kind = kindWord(table)
  const columns = rowColumns(table)
  const rows = columns.map((column, at) => ({
    column,
    name: shorten(column.name, MAX_NAME, widthOf('column')),
    type: shorten(column.format, MAX_TYPE, widthOf('type')),
    y: HEAD + at * ROW + ROW / 2 + 3,
  }))
  const titleWidth = widthOf('title')(title)
  const texts = [
    titleWidth + (kind === '' ? 0 : GAP + widthOf('type')(kind)),
    ...rows.map(({ name, type }) => MARK + widthOf('column')(name) + GAP + widthOf('type')(type)),
  ]
  const hiddenCount = table.columns.length - columns.length
  const width = Math.ceil(Math.max(MIN_WIDTH, ...texts) + 2 * SIDE)
  const lines = rows.length + (hiddenCount > 0 ? 1 : 0)
  const height = HEAD + (lines === 0 ? 0 : lines * ROW + FOOT)
  const fitting = (FONTS.title * (width - 2 * SIDE)) / Math.max(1, titleWidth)
  const farSize = Math.min(FAR_SIZES.max, Math.max(FAR_SIZES.min, fitting), height * 0.7)
  return { table, title, kind, rows, hiddenCount, width, height, farSize }
}

/** Where keys begin and end: the referenced table on its right side, the one with the key on its left side. */
interface Attachment {
  readonly port: string
  readonly outward: -1 | 1
  /** Middles of the columns' rows from the top of the table. */
  readonly rows: readonly number[]
}

/** A column without a row is attached at the head. */
const attach = (
  node: string,
  { rows }: SizedTable,
  { columns, outward, shift }: { columns: readonly string[]; outward: -1 | 1; shift: number },
): Attachment => {
  const middles = columns.map(name => rows.find(({ column }) => column.name === name)?.y ?? HEAD / 2)
  const [first = HEAD / 2] = middles
  return { port: `${node}:${outward}:${first + shift}`, outward, rows: middles.map(y => y + shift) }
}

interface Attached {
  readonly key: DiagramKey
  readonly referenced: Attachment & { readonly node: number }
  readonly referring: Attachment & { readonly node: number }
}

function attachKeys({ keys }: Diagram, sizes: readonly SizedTable[]): readonly Attached[] {
  const places = new Map(sizes.map(({ table }, at) => [table.id, at]))
  return keys.flatMap(key => {
    const [to, from] = [places.get(key.to) ?? -1, places.get(key.from) ?? -1]
    const [referenced, referring] = [sizes[to], sizes[from]]
    if (referenced === undefined || referring === undefined) return []
    const isSelf = to === from
    const their = { columns: key.pairs.map(pair => pair.theirs), outward: 1, shift: isSelf ? -4 : 0 } as const
    const ours = { columns: key.pairs.map(pair => pair.ours), outward: isSelf ? 1 : -1, shift: 0 } as const
    return [
      {
        key,
        referenced: { node: to, ...attach(`t${to}`, referenced, their) },
        referring: { node: from, ...attach(`t${from}`, referring, ours) },
      },
    ]
  })
}

/** With more tables, the order within the layers is searched for less long. */
const LARGE = 60
/** With more tables, lines are less straight. */
const HUGE = 250

const optionsFor = (count: number, { width, height }: Size): Record<string, string> => ({
  'elk.algorithm': 'layered',
  'elk.direction': 'RIGHT',
  'elk.edgeRouting': 'ORTHOGONAL',
  'elk.aspectRatio': String(Math.min(3, Math.max(0.4, width / Math.max(1, height)))),
  'elk.layered.nodePlacement.strategy': count > HUGE ? 'LINEAR_SEGMENTS' : 'NETWORK_SIMPLEX',
  'elk.layered.thoroughness': count > LARGE ? '3' : '10',
  'elk.spacing.nodeNode': '28',
  'elk.layered.spacing.nodeNodeBetweenLayers': '56',
  'elk.layered.spacing.edgeNodeBetweenLayers': '22',
  'elk.spacing.edgeNode': '18',
  'elk.spacing.edgeEdge': '9',
  'elk.layered.spacing.edgeEdgeBetweenLayers': '9',
  'elk.spacing.componentComponent': '32',
  'elk.padding': '[top=0,left=0,bottom=0,right=0]',
})

const portsOf = (node: number, { width }: Size, attached: readonly Attached[]): ElkPort[] => {
  const ends = attached.flatMap(({ referenced, referring }) => [referenced, referring])
  const ports = new Map(ends.filter(end => end.node === node).map(end => [end.port, end]))
  return [...ports].map(
    ([
      id,
      {
        outward,
        rows: [y = 0],
      },
    ]) => ({
      id,
      x: outward === 1 ? width : 0,
      y,
      width: 0,
      height: 0,
      layoutOptions: { 'elk.port.side': outward === 1 ? 'EAST' : 'WEST' },
    }),
  )
}

const pointsOf = ({ sections = [] }: ElkExtendedEdge): readonly Point[] =>
  sections.flatMap(({ startPoint, bendPoints = [], endPoint }) => [startPoint, ...bendPoints, endPoint])

/** What places a graph, as ELK does. */
export type PlaceGraph = (graph: ElkNode) => Promise<ElkNode>

/**
 * Lays out a diagram.
 * @param pane the shape that it should have
 * @throws Error if the engine fails
 */
export async function layoutDiagram(
  diagram: Diagram,
  { measure, pane, place }: { readonly measure: Measure; readonly pane: Size; readonly place: PlaceGraph },
): Promise<PlacedDiagram> {
  const sizes = diagram.tables.map(table => sizeTable(table, diagram, measure))
  const attached = attachKeys(diagram, sizes)
  const {
    width = 0,
    height = 0,
    children = [],
    edges = [],
  } = await place({
    id: 'diagram',
    layoutOptions: optionsFor(sizes.length, pane),
    children: sizes.map((size, at) => ({
      id: `t${at}`,
      width: size.width,
      height: size.height,
      ports: portsOf(at, size, attached),
      layoutOptions: { 'elk.portConstraints': 'FIXED_POS' },
    })),
    edges: attached.map(({ referenced, referring }, at) => ({
      id: `k${at}`,
      sources: [referenced.port],
      targets: [referring.port],
    })),
  })
  const boxes = new Map(children.map(({ id, x = 0, y = 0 }) => [id, { x, y }]))
  const tables = sizes.map((size, at) => ({ ...size, ...(boxes.get(`t${at}`) ?? { x: 0, y: 0 }) }))
  const lines = new Map(edges.map(edge => [edge.id, pointsOf(edge)]))
  const endOf = ({ node, outward, rows }: Attached['referenced']): KeyEnd => {
    const { x = 0, y = 0, width: across = 0 } = tables[node] ?? {}
    const middles = rows.map(row => y + row)
    return { x: outward === 1 ? x + across : x, y: middles[0] ?? y, outward, rows: middles }
  }
  const keys = attached.map(({ key, referenced, referring }, at) => ({
    key,
    points: lines.get(`k${at}`) ?? [],
    referenced: endOf(referenced),
    referring: endOf(referring),
  }))
  return { diagram, tables, keys, width, height }
}
