// The diagram as an SVG file: light, without scripts, style sheets and references to other files.
import {
  FONTS,
  HEAD,
  MARK,
  ROW,
  SIDE,
  WEIGHTS,
  type PlacedDiagram,
  type PlacedTable,
} from './diagram-layout.ts'
import { CORNER, headPath, keyMark, keyPath, schemaFileColor } from './diagram-shapes.ts'
import { spokenTable } from './diagram.ts'

const MARGIN = 24
const INK = '#1d2a35'
const FAINT = '#5b6975'
const LINE = '#7c8894'
const FRAME = '#b9c2ca'

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** Characters that XML forbids, also as references; halves of pairs are such, too. */
// oxlint-disable-next-line no-control-regex
const FORBIDDEN = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g

/** A text for an element or an attribute of XML. */
export const escapeXml = (text: string): string =>
  text
    .toWellFormed()
    .replaceAll(FORBIDDEN, '\ufffd')
    .replaceAll(/[&<>"']/g, sign => ENTITIES[sign] ?? '')

type Attributes = Readonly<Record<string, string | number>>

const attributesOf = (attributes: Attributes): string =>
  Object.entries(attributes)
    .map(([name, value]) => ` ${name}="${typeof value === 'number' ? value : escapeXml(value)}"`)
    .join('')

/** @param content markup */
const element = (name: string, attributes: Attributes, content = ''): string =>
  `<${name}${attributesOf(attributes)}>${content}</${name}>`

const text = (kind: keyof typeof FONTS, content: string, attributes: Attributes): string =>
  element(
    'text',
    { 'font-size': FONTS[kind], 'font-weight': WEIGHTS[kind], fill: INK, ...attributes },
    escapeXml(content),
  )

function tableMarkup(placed: PlacedTable, { diagram }: PlacedDiagram): string {
  const { table, x, y, width, height, title, kind, rows, hiddenCount } = placed
  const color = schemaFileColor(diagram.schemas, table.schema)
  const dashes: Attributes = table.isListed && kind === '' ? {} : { 'stroke-dasharray': '4 3' }
  const end = { x: width - SIDE, 'text-anchor': 'end', fill: FAINT }
  return element(
    'g',
    { transform: `translate(${x} ${y})` },
    [
      element('title', {}, escapeXml(spokenTable(table, diagram))),
      element('rect', { width, height, rx: CORNER, fill: '#fff', stroke: FRAME, ...dashes }),
      element('path', { d: headPath(width, height), fill: color, 'fill-opacity': 0.14 }),
      text('title', title, { x: SIDE, y: HEAD / 2 + 4.5 }),
      kind === '' ? '' : text('type', kind, { ...end, y: HEAD / 2 + 4 }),
      ...rows.flatMap(({ column, name, type, y: middle }) => [
        text('type', keyMark(column), { x: SIDE, y: middle + 3.5, 'font-size': 9, fill: color }),
        text('column', name, { x: SIDE + MARK, y: middle + 4, ...(column.isKey && { 'font-weight': 600 }) }),
        text('type', type, { ...end, y: middle + 4 }),
      ]),
      hiddenCount === 0
        ? ''
        : text('type', `${hiddenCount} more`, {
            x: SIDE + MARK,
            y: HEAD + rows.length * ROW + 17,
            fill: FAINT,
          }),
    ].join(''),
  )
}

/**
 * The file.
 * @param isFluid as large as the page or frame that shows it, such as a sheet of paper
 */
export function diagramSvg(placed: PlacedDiagram, title: string, isFluid = false): string {
  const [width, height] = [Math.ceil(placed.width + 2 * MARGIN), Math.ceil(placed.height + 2 * MARGIN)]
  const box = { x: -MARGIN, y: -MARGIN, width, height }
  return element(
    'svg',
    {
      xmlns: 'http://www.w3.org/2000/svg',
      width: isFluid ? '100%' : width,
      height: isFluid ? '100%' : height,
      viewBox: `${-MARGIN} ${-MARGIN} ${width} ${height}`,
      'font-family': 'Inter, ui-sans-serif, system-ui, Helvetica, Arial, sans-serif',
    },
    [
      element('title', {}, escapeXml(title)),
      element('rect', { ...box, fill: '#fff' }),
      ...placed.tables.map(table => tableMarkup(table, placed)),
      ...placed.keys.map(key =>
        element(
          'path',
          { d: keyPath(key), fill: 'none', stroke: LINE, 'stroke-width': 1.2 },
          element('title', {}, escapeXml(key.key.name ?? 'foreign key')),
        ),
      ),
    ].join('\n'),
  )
}
