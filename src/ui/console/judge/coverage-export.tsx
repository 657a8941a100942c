// Takes coverage away: as JSON, as the command line writes it, or as text.
import { Download } from 'lucide-react'
import { Menu, MenuItem, MenuTrigger, Popover } from 'react-aria-components'
import type { CoverageReport } from '../../../trace/coverage.ts'
import { Button } from '../../widgets/button.tsx'
import { cx } from '../../widgets/cx.ts'
import styles from '../../widgets/menu.module.css'
import { saveAs } from '../../widgets/save-as.ts'
import { copyText } from '../state/clipboard.ts'
import { coverageAsText } from './coverage-rows.ts'

export function CoverageExport({ report }: { readonly report: CoverageReport }) {
  const text = () => coverageAsText(report)
  const forms = {
    json: () =>
      saveAs(new Blob([`${JSON.stringify(report)}\n`], { type: 'application/json' }), 'coverage.json'),
    text: () => saveAs(new Blob([text()], { type: 'text/plain' }), 'coverage.txt'),
    copy: () => copyText(text(), 'The coverage'),
  }
  return (
    <MenuTrigger>
      <Button size="s" icon={<Download size={13} aria-hidden />}>
        Export
      </Button>
      <Popover className={cx(styles.menu)} placement="bottom end">
        <Menu
          aria-label="Export coverage"
          className={cx(styles.items)}
          onAction={key => forms[String(key) as keyof typeof forms]()}
        >
          <MenuItem id="json" className={cx(styles.item)}>
            JSON, as <code>chartroom coverage --json</code>
          </MenuItem>
          <MenuItem id="text" className={cx(styles.item)}>
            Text with what is missing
          </MenuItem>
          <MenuItem id="copy" className={cx(styles.item)}>
            Copy the text
          </MenuItem>
        </Menu>
      </Popover>
    </MenuTrigger>
  )
}
