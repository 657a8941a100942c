// A chart to take away: as a picture, or as the text of a diagram.
import { Download } from 'lucide-react'
import type { RefObject } from 'react'
import { Menu, MenuItem, MenuTrigger, Popover } from 'react-aria-components'
import { toast } from 'sonner'
import { toStateDiagram } from '../../../trace/exports/mermaid-state.ts'
import type { MachineChart } from '../../../trace/format.ts'
import { IconButton } from '../../widgets/button.tsx'
import { cx } from '../../widgets/cx.ts'
import styles from '../../widgets/menu.module.css'
import { saveAs } from '../../widgets/save-as.ts'
import { messageOf } from '../text.ts'
import { pngOf, standaloneSvg } from './chart-export.ts'
import type { PlacedChart } from './placed-chart.ts'
import type { View } from './use-view-port.ts'

export interface ExportMenuProps {
  readonly chart: MachineChart
  readonly placed: PlacedChart
  readonly svg: RefObject<SVGSVGElement | null>
  readonly view: View
}

/** A menu of formats. */
export function ExportMenu({ chart, placed, svg, view }: ExportMenuProps) {
  const act = async (format: string) => {
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
  return (
    <MenuTrigger>
      <IconButton size="s" label="Take the chart away">
        <Download size={14} aria-hidden />
      </IconButton>
      <Popover placement="top end" className={cx(styles.menu)}>
        <Menu
          aria-label="Take the chart away"
          className={cx(styles.items)}
          onAction={key => {
            act(String(key)).catch((error: unknown) => toast.error(messageOf(error)))
          }}
        >
          <MenuItem id="svg" className={cx(styles.item)}>
            Save as SVG
          </MenuItem>
          <MenuItem id="png" className={cx(styles.item)}>
            Save as PNG
          </MenuItem>
          <MenuItem id="mermaid" className={cx(styles.item)}>
            Copy as Mermaid
          </MenuItem>
        </Menu>
      </Popover>
    </MenuTrigger>
  )
}
