// Inline form to rename a saved backend.
import { useEffect, useRef, useState } from 'react'
import { Button } from '../../widgets/button.tsx'
import { TextField } from '../../widgets/field.tsx'
import { Form } from '../../widgets/form.tsx'
import type { Connection } from '../../../services/workbench/hosts/index.ts'
import { useWorkspace } from '../workspace.tsx'
import styles from './connect.module.css'

export interface RenameFormProps {
  readonly connection: Connection
  readonly onClose: () => void
}

/** Enter saves, Escape cancels; an empty name resets it to the URL's host. */
export function RenameForm({ connection, onClose }: RenameFormProps) {
  const { dispatch } = useWorkspace()
  const [name, setName] = useState(connection.name)
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => field.current?.select(), [])
  const save = () => {
    const chosen = name.trim() === '' ? new URL(connection.url).host : name
    dispatch({ type: 'connection.renamed', id: connection.id, name: chosen })
    onClose()
  }
  const onKeyDown = (event: Pick<KeyboardEvent, 'key'>) => {
    if (event.key === 'Escape') onClose()
  }
  return (
    <Form className={styles.rename} onSubmit={save} aria-label={`Rename ${connection.name}`}>
      <TextField
        label="Name"
        hideLabel
        value={name}
        onChange={setName}
        onKeyDown={onKeyDown}
        inputRef={field}
      />
      <Button type="submit">Save</Button>
    </Form>
  )
}
