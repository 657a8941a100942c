// Confirms a reset of the project: its data is deleted, and all files are applied again.
import { plural } from '../../../services/workbench/text/index.ts'
import type { ProjectState } from '../../../services/workbench/project/index.ts'
import { Button } from '../../widgets/button.tsx'
import { Dialog, DialogActions } from '../../widgets/dialog.tsx'

export interface ResetDialogProps {
  readonly project: ProjectState
  readonly onReset: () => void
  readonly onClose: () => void
}

export function ResetDialog({ project, onReset, onClose }: ResetDialogProps) {
  const { dataDir, migrations, seeds } = project
  const files = migrations.filter(({ file }) => file !== null).length
  return (
    <Dialog title={`Reset ${project.name}?`} isOpen onClose={onClose} role="alertdialog">
      <p>
        All rows, users and uploaded files are deleted
        {dataDir === null ? '' : ' from '}
        {dataDir === null ? null : <code>{dataDir}</code>}, then {plural(files, 'migration')} and{' '}
        {plural(seeds.length, 'seed')} are applied again. Your project’s own files stay as they are.
      </p>
      <p>Everybody is signed out. This can’t be undone.</p>
      <DialogActions>
        <Button onPress={onClose}>Cancel</Button>
        <Button
          variant="danger"
          onPress={() => {
            onReset()
            onClose()
          }}
        >
          Delete and reset
        </Button>
      </DialogActions>
    </Dialog>
  )
}
