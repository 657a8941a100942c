// Takes coverage away: as JSON, as the command line writes it, or as text.
import { Download } from 'lucide-react'
import { MenuTrigger, Popover } from 'react-aria-components'
import type { CoverageReport } from '../../../trace/coverage.ts'
import { Button } from '../../widgets/button.tsx'
import { cx } from '../../widgets/cx.ts'
import { ActionMenu } from '../../widgets/icon-menu.tsx'
import styles from '../../widgets/menu.module.css'
import { saveAs } from '../../widgets/save-as.ts'
import { copyText } from '../state/clipboard.ts'
import { coverageAsText } from './coverage-rows.ts'

export function CoverageExport({ report }: { readonly report: CoverageReport }) {
  const save = (text: string, type: string, name: string) => saveAs(new Blob([text], { type }), name)
  const actions = [
    {
      id: 'json',
      title: 'JSON, as chartroom coverage --json',
      run: () => save(`${JSON.stringify(report)}\n`, 'application/json', 'coverage.json'),
    },
    {
      id: 'text',
      title: 'Text with what is missing',
      run: () => save(coverageAsText(report), 'text/plain', 'coverage.txt'),
    },
    { id: 'copy', title: 'Copy the text', run: () => copyText(coverageAsText(report), 'The coverage') },
  ]
  return (
    <MenuTrigger>
      <Button size="s" icon={<Download size={13} aria-hidden />}>
        Export
      </Button>
      <Popover className={cx(styles.menu)} placement="bottom end">
        <ActionMenu label="Export coverage" actions={actions} />
      </Popover>
    </MenuTrigger>
  )
}
