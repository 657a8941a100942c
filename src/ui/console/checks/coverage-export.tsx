// Exports coverage as JSON, in the format of the command line, or as text.
import { Download } from 'lucide-react'
import type { CoverageReport } from '../../../trace/index.ts'
import { ActionMenu, MenuButton } from '../../widgets/menu.tsx'
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
      title: 'Text with missing parts',
      run: () => save(coverageAsText(report), 'text/plain', 'coverage.txt'),
    },
    { id: 'copy', title: 'Copy text', run: () => copyText(coverageAsText(report), 'Coverage') },
  ]
  return (
    <MenuButton text="Export" icon={<Download size={13} aria-hidden />}>
      <ActionMenu label="Export coverage" actions={actions} />
    </MenuButton>
  )
}
