// Saved queries: save the current one; open, rename and delete saved ones.
import { Pencil, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { Button, IconButton } from '../../../widgets/button.tsx'
import { Dialog } from '../../../widgets/dialog.tsx'
import { TextField } from '../../../widgets/field.tsx'
import { Form } from '../../../widgets/form.tsx'
import {
  aboutQuery,
  renamed,
  type SavedQuery,
  type TableToolsProps,
  toSave,
  withSaved,
} from '../../../../services/workbench/table/index.ts'
import styles from '../tools.module.css'
import { useSavedQueries } from './use-saved-queries.ts'

interface NameFormProps {
  /** Label of the form; the field has its own. */
  readonly title: string
  readonly label: string
  readonly action: string
  readonly first?: string
  /** Why a name cannot be used, or what using it does. */
  readonly hint: (name: string) => string | undefined
  /** Returns false if it could not be stored. */
  readonly onName: (name: string) => boolean
}

const NOT_KEPT =
  'Not saved: this browser’s storage is full or not available to this page. Free some space, then save again.'

function NameForm({ title, label, action, first = '', hint, onName }: NameFormProps) {
  const [name, setName] = useState(first)
  const [error, setError] = useState<string>()
  const submit = () => {
    const given = name.trim()
    if (given === '') return setError('Enter a name.')
    if (!onName(given)) return setError(NOT_KEPT)
    setName('')
    setError(undefined)
  }
  return (
    <Form className={styles.nameForm} onSubmit={submit} aria-label={title}>
      <TextField label={label} value={name} onChange={setName} error={error} hint={hint(name.trim())} />
      <Button type="submit" variant="primary">
        {action}
      </Button>
    </Form>
  )
}

interface SavedItemProps {
  readonly one: SavedQuery
  readonly isTaken: (name: string) => boolean
  readonly onOpen: () => void
  readonly onRename: (name: string) => boolean
  readonly onDelete: () => void
}

function SavedItem({ one, isTaken, onOpen, onRename, onDelete }: SavedItemProps) {
  const [isRenaming, setRenaming] = useState(false)
  const hint = (name: string) =>
    name !== one.name && isTaken(name) ? 'Replaces the other query.' : undefined
  if (isRenaming)
    return (
      <li>
        <NameForm
          title={`Rename ${one.name}`}
          label={`New name of ${one.name}`}
          action="Rename"
          first={one.name}
          hint={hint}
          onName={name => {
            const isKept = onRename(name)
            setRenaming(!isKept)
            return isKept
          }}
        />
      </li>
    )
  return (
    <li className={styles.saved}>
      <span className={styles.savedText}>
        <Button variant="quiet" size="s" onPress={onOpen}>
          {one.name}
        </Button>
        <span className={styles.faint}>{aboutQuery(one.query)}</span>
      </span>
      <IconButton label={`Rename ${one.name}`} onPress={() => setRenaming(true)}>
        <Pencil size={14} />
      </IconButton>
      <IconButton label={`Delete ${one.name}`} onPress={onDelete}>
        <Trash2 size={14} />
      </IconButton>
    </li>
  )
}

export interface SavedDialogProps extends Pick<TableToolsProps, 'query' | 'open'> {
  readonly onClose: () => void
}

export function SavedDialog({ query, open, onClose }: SavedDialogProps) {
  const [saved, change] = useSavedQueries()
  const [gone, setGone] = useState<SavedQuery>()
  const isTaken = (name: string) => saved.some(one => one.name === name)
  return (
    <Dialog title="Saved queries" isOpen onClose={onClose} wide>
      <NameForm
        title="Save this query"
        label="Name for the current view"
        action="Save"
        hint={name =>
          isTaken(name) ? 'Replaces the query of this name.' : aboutQuery(toSave('', query).query)
        }
        onName={name => change(list => withSaved(list, toSave(name, query)))}
      />
      {saved.length === 0 ? (
        <p className={styles.faint}>
          No saved queries. Set filters, sort order and columns, then save them here. They are stored in this
          browser, for this connection.
        </p>
      ) : (
        <ul className={styles.savedList} aria-label="Saved queries">
          {saved.map(one => (
            <SavedItem
              key={one.name}
              one={one}
              isTaken={isTaken}
              onOpen={() => {
                open(one.query)
                onClose()
              }}
              onRename={name => change(list => renamed(list, one.name, name))}
              onDelete={() => {
                change(list => list.filter(({ name }) => name !== one.name))
                setGone(one)
              }}
            />
          ))}
        </ul>
      )}
      {gone === undefined ? null : (
        <p className={styles.sum} role="status">
          {gone.name} was deleted.
          <Button
            size="s"
            onPress={() => {
              change(list => withSaved(list, gone))
              setGone(undefined)
            }}
          >
            Undo
          </Button>
        </p>
      )}
    </Dialog>
  )
}
