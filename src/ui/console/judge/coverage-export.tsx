// Takes coverage away: as JSON, as the command line writes it, or as text.
import { Download } from 'lucide-react'
import { Menu, MenuItem, MenuTrigger, Popover } from 'react-aria-components'
import type { CoverageReport } from '../../../trace/coverage.ts'
import { Button } from '../../widgets/button.tsx'
import { saveAs } from '../../widgets/save-as.ts'
import { coverageAsText } from './coverage-rows.ts'
import styles from './judge.module.css'

export function CoverageExport({ report }: { readonly report: CoverageReport }) {
  const text = () => coverageAsText(report)
  const forms = {
    json: () =>
      saveAs(new Blob([`${JSON.stringify(report)}\n`], { type: 'application/json' }), 'coverage.json'),
    text: () => saveAs(new Blob([text()], { type: 'text/plain' }), 'coverage.txt'),
    copy: () => void navigator.clipboard.writeText(text()),
  }
  return (
    <MenuTrigger>
      <Button size="s" icon={<Download size={13} aria-hidden />}>
        Export
      </Button>
      <Popover className={styles.popover ?? ''} placement="bottom end">
        <Menu
          aria-label="Export coverage"
          className={styles.menu ?? ''}
          onAction={key => forms[String(key) as keyof typeof forms]()}
        >
          <MenuItem id="json" className={styles.menuItem ?? ''}>
            JSON, as <code>chartroom coverage --json</code>
          </MenuItem>
          <MenuItem id="text" className={styles.menuItem ?? ''}>
            Text with what is missing
          </MenuItem>
          <MenuItem id="copy" className={styles.menuItem ?? ''}>
            Copy the text
          </MenuItem>
        </Menu>
      </Popover>
    </MenuTrigger>
  )
}
