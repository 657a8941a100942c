// Exports a chart as an image or as diagram source.
import { Download } from 'lucide-react'
import type { RefObject } from 'react'
import { toast } from 'sonner'
import { type MachineChart, toStateDiagram } from '../../../trace/index.ts'
import { ActionMenu, IconMenu } from '../../widgets/menu.tsx'
import { saveAs } from '../../widgets/save-as.ts'
import { messageOf } from '../text.ts'
import { pngOf, standaloneSvg } from './chart-export.ts'
import type { PlacedChart } from './placed-chart.ts'
import type { View } from './use-view-port.ts'

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
