// Exports a chart as an image or as diagram source.
import { Download } from 'lucide-react'
import type { RefObject } from 'react'
import { toast } from 'sonner'
import { type MachineChart, toStateDiagram } from '../../../trace/index.ts'
import { ActionMenu, IconMenu } from '../../widgets/menu.tsx'
import { saveAs } from '../../widgets/save-as.ts'
import { messageOf } from '../text.ts'
import type { PlacedChart } from './placed-chart.ts'
import type { View } from './use-view-port.ts'
import type { Size } from './chart-geometry.ts'

interface Exported {
  readonly chart: MachineChart
  readonly placed: PlacedChart
  readonly svg: RefObject<SVGSVGElement | null>
  readonly view: View
}

export interface ExportMenuProps {
  /** Passes the current drawing when a format is chosen. */
  readonly act: (what: (drawn: Exported) => void) => void
}

const TITLE = 'Export chart'

/** A menu of formats. */
export function ExportMenu({ act }: ExportMenuProps) {
  const exportAs = (format: string) => () =>
    act(drawn => void take(format, drawn).catch((error: unknown) => toast.error(messageOf(error))))
  const actions = [
    { id: 'svg', title: 'Save as SVG', run: exportAs('svg') },
    { id: 'png', title: 'Save as PNG', run: exportAs('png') },
    { id: 'mermaid', title: 'Copy as Mermaid', run: exportAs('mermaid') },
  ]
  return (
    <IconMenu label={TITLE} icon={<Download size={14} aria-hidden />} placement="top end">
      <ActionMenu label={TITLE} actions={actions} />
    </IconMenu>
  )
}

async function take(format: string, { chart, placed, svg, view }: Exported): Promise<void> {
  if (format === 'mermaid') {
    await navigator.clipboard.writeText(toStateDiagram(chart))
    toast.success('Copied as Mermaid')
    return
  }
  if (!svg.current) return
  view.drawAll()
  const text = standaloneSvg(svg.current, placed)
  const name = `${chart.id.replaceAll(/[^\w.-]+/g, '-')}.${format}`
  if (format === 'svg') saveAs(new Blob([text], { type: 'image/svg+xml' }), name)
  else saveAs(await pngOf(text, placed), name)
}

const MARGIN = 16
/** Images have twice the screen's pixel density, up to the largest canvas size. */
const FINENESS = 2
const MOST_PIXELS = 8192

const STYLES = [
  'fill',
  'fill-opacity',
  'stroke',
  'stroke-width',
  'stroke-dasharray',
  'stroke-opacity',
  'opacity',
  'font-family',
  'font-size',
  'font-weight',
  'text-anchor',
  'paint-order',
] as const

/** Returns the whole drawn chart in the current theme's colors. */
function standaloneSvg(drawn: SVGSVGElement, { width, height }: Size): string {
  const far = drawn.querySelector('[data-far]')
  // Zoomed-out charts hide their text; images show it.
  far?.removeAttribute('data-far')
  const copy = drawn.cloneNode(true) as SVGSVGElement
  write(drawn, copy)
  far?.setAttribute('data-far', '')
  const [w, h] = [Math.ceil(width + 2 * MARGIN), Math.ceil(height + 2 * MARGIN)]
  const box = `${-MARGIN} ${-MARGIN} ${w} ${h}`
  for (const name of copy.getAttributeNames()) copy.removeAttribute(name)
  copy.setAttribute('xmlns', 'http://www.w3.org/2000/svg')
  copy.setAttribute('width', String(w))
  copy.setAttribute('height', String(h))
  copy.setAttribute('viewBox', box)
  const ground = document.createElementNS('http://www.w3.org/2000/svg', 'rect')
  const at = { x: -MARGIN, y: -MARGIN, width: w, height: h, fill: groundOf(drawn) }
  for (const [name, value] of Object.entries(at)) ground.setAttribute(name, String(value))
  copy.prepend(ground)
  copy.querySelector<SVGGElement>('[data-ground]')?.removeAttribute('style')
  return new XMLSerializer().serializeToString(copy)
}

/** Returns the first opaque background color behind the drawing. */
function groundOf(drawn: Element): string {
  for (let at: Element | null = drawn; at; at = at.parentElement) {
    const { backgroundColor } = getComputedStyle(at)
    if (backgroundColor !== '' && backgroundColor !== 'rgba(0, 0, 0, 0)') return backgroundColor
  }
  return 'none'
}

/** Copies the computed style of each shape, because the copy has no style sheet. */
function write(from: Element, to: Element): void {
  const computed = getComputedStyle(from)
  if (computed.display === 'none') return to.remove()
  const isShape = /^(rect|path|line|circle|text|tspan)$/.test(from.tagName)
  for (const name of ['class', 'style']) to.removeAttribute(name)
  // As separate attributes: a page with a strict policy may not set style text.
  if (isShape) for (const name of STYLES) to.setAttribute(name, computed.getPropertyValue(name))
  const [inner, copies] = [[...from.children], [...to.children]]
  inner.forEach((child, n) => {
    const copy = copies[n]
    if (copy) write(child, copy)
  })
}

/** Renders the image as PNG. */
async function pngOf(svg: string, { width, height }: Size): Promise<Blob> {
  const [w, h] = [width + 2 * MARGIN, height + 2 * MARGIN]
  const fineness = Math.min(FINENESS, MOST_PIXELS / Math.max(w, h))
  const image = new Image()
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`
  await image.decode()
  const canvas = document.createElement('canvas')
  canvas.width = Math.ceil(w * fineness)
  canvas.height = Math.ceil(h * fineness)
  canvas.getContext('2d')?.drawImage(image, 0, 0, canvas.width, canvas.height)
  return new Promise((resolve, reject) => {
    canvas.toBlob(
      blob => (blob ? resolve(blob) : reject(new Error('The image could not be created'))),
      'image/png',
    )
  })
}
