// Saved SQL scripts: save the current one by name, load and delete saved ones.
import { Trash2 } from 'lucide-react'
import { useState, useSyncExternalStore } from 'react'
import { Button, IconButton } from '../../widgets/button.tsx'
import { Dialog } from '../../widgets/dialog.tsx'
import { TextField } from '../../widgets/field.tsx'
import { Form } from '../../widgets/form.tsx'
import type { SqlStore } from '../../../services/workbench/sql/index.ts'
import styles from './sql.module.css'

const FULL =
  'Not saved: this browser’s storage is full or not available to this page. Free some space, then save again.'

export interface SavedDialogProps {
  readonly store: SqlStore
  readonly onClose: () => void
}

export function SavedDialog({ store, onClose }: SavedDialogProps) {
  const { saved, draft } = useSyncExternalStore(store.subscribe, store.state)
  const [name, setName] = useState('')
  const [error, setError] = useState<string>()
  const isTaken = saved.some(one => one.name === name.trim())
  const submit = () => {
    if (name.trim() === '') return setError('Enter a name.')
    if (draft.trim() === '') return setError('The editor is empty.')
    if (!store.save(name.trim())) return setError(FULL)
    setName('')
    setError(undefined)
  }
  return (
    <Dialog title="Saved queries" isOpen onClose={onClose} wide>
      <Form className={styles.nameForm} onSubmit={submit} aria-label="Save this script">
        <TextField
          label="Name for the current script"
          value={name}
          onChange={setName}
          error={error}
          hint={isTaken ? 'Replaces the query of this name.' : undefined}
        />
        <Button type="submit" variant="primary">
          Save
        </Button>
      </Form>
      {saved.length === 0 ? (
        <p className={styles.faint}>No saved queries. They are stored in this browser, for this backend.</p>
      ) : (
        <ul className={styles.entries} aria-label="Saved queries">
          {saved.map(one => (
            <li key={one.name} className={styles.entry}>
              <button
                type="button"
                className={styles.entryText}
                onClick={() => {
                  store.load(one.sql)
                  onClose()
                }}
              >
                {one.name}
                <code className={styles.entrySql}>
                  {one.sql.replaceAll(/\s+/g, ' ').trim().slice(0, 200)}
                </code>
              </button>
              <IconButton label={`Delete ${one.name}`} size="s" onPress={() => store.forgetSaved(one.name)}>
                <Trash2 size={13} />
              </IconButton>
            </li>
          ))}
        </ul>
      )}
    </Dialog>
  )
}
