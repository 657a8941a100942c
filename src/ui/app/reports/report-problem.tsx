// “Report a problem” in the palette: sends a report of the workbench itself to the backend's store of reports.
import { useMemo, useState } from 'react'
import type { AppCommand } from '../commands/app-command.ts'
import { useAppCommands } from '../commands/use-app-commands.ts'
import { lazyPart } from '../lazy-part.tsx'

const Dialog = lazyPart(
  'the report',
  async () => (await import('./report-problem-dialog.tsx')).ReportProblemDialog,
  { whileLoading: null },
)

/** Renders nothing until the command is used. */
export function ReportProblem({ hasStore }: { readonly hasStore: boolean }) {
  const [isOpen, setOpen] = useState(false)
  const commands = useMemo<readonly AppCommand[]>(
    () => [
      {
        id: 'report',
        title: 'Report a problem',
        section: 'Help',
        words: 'bug feedback complaint reports',
        ...(!hasStore && { disabled: 'this backend has no tables for reports' }),
        run: () => setOpen(true),
      },
    ],
    [hasStore],
  )
  useAppCommands(commands)
  return isOpen ? <Dialog onClose={() => setOpen(false)} /> : null
}
