// The dialog for the source of the table list: replace the file, or forget it.
import { useSyncExternalStore } from 'react'
import { givenSchemaOf } from '../../../../services/workbench/schema/index.ts'
import { useClient } from '../../../react/index.ts'
import { Button } from '../../../widgets/button.tsx'
import { Dialog, DialogActions } from '../../../widgets/dialog.tsx'
import { useTables } from '../tables.tsx'
import { GiveSchema } from './give-schema.tsx'
import { FindTables } from './lazy-find-tables.ts'

export function TableListDialog({ onClose }: { readonly onClose: () => void }) {
  const { reload } = useTables()
  const store = givenSchemaOf(useClient())
  const given = useSyncExternalStore(store.subscribe, store.schema)
  const forget = () => {
    store.forget()
    reload()
    onClose()
  }
  return (
    <Dialog title="Table list" isOpen onClose={onClose}>
      <p>
        {given === undefined ? (
          'This backend does not list its tables. A schema file or a types file from your project can.'
        ) : (
          <>
            From <strong>{given.name}</strong>,{' '}
            {given.isKept
              ? 'which is kept in this browser for this backend.'
              : 'until this page is closed: the browser has no room to keep it.'}
          </>
        )}
      </p>
      <GiveSchema onGiven={onClose} />
      {given === undefined ? <FindTables onDone={onClose} /> : null}
      <DialogActions>
        {given === undefined ? null : <Button onPress={forget}>Forget file</Button>}
        <Button variant="primary" onPress={onClose}>
          Done
        </Button>
      </DialogActions>
    </Dialog>
  )
}
