// A dialog that saves the current layout and lists saved ones.
import { Link, Pencil, Trash2 } from 'lucide-react'
import { memo, useState } from 'react'
import { toast } from 'sonner'
import { Button, ToolButton } from '../../widgets/button.tsx'
import { Dialog } from '../../widgets/dialog.tsx'
import { TextField } from '../../widgets/field.tsx'
import { Form } from '../../widgets/form.tsx'
import styles from './layout.module.css'
import { hasRoomFor, MOST, paramsOfLink, type SavedView, type SavedViews } from './use-saved-views.ts'

export interface LayoutDialogProps {
  readonly saved: SavedViews
  /** The query that can be saved with the layout. */
  readonly query: string
  readonly isOpen: boolean
  readonly onClose: () => void
}

export const LayoutDialog = memo(function LayoutDialog(props: LayoutDialogProps) {
  const { saved, query, isOpen, onClose } = props
  return (
    <Dialog title="Layouts" isOpen={isOpen} onClose={onClose}>
      <SaveForm saved={saved} query={query} />
      {saved.list.length === 0 ? (
        <p className={styles.none}>
          No saved layouts yet. A saved layout stores the visible panes, their sizes and tabs; share it by its
          link.
        </p>
      ) : (
        <ul className={styles.list} aria-label="Saved layouts">
          {saved.list.map(view => (
            <Row key={view.name} view={view} saved={saved} onClose={onClose} />
          ))}
        </ul>
      )}
    </Dialog>
  )
})

function SaveForm({ saved, query }: Pick<LayoutDialogProps, 'saved' | 'query'>) {
  const [name, setName] = useState('')
  const [link, setLink] = useState('')
  const [isWithQuery, setWithQuery] = useState(false)
  const params = link.trim() === '' ? undefined : paramsOfLink(link)
  const isFull = name.trim() !== '' && !hasRoomFor(saved.list, name.trim())
  const isBad = link.trim() !== '' && params === undefined
  const submit = () => {
    if (name.trim() === '' || isBad || isFull) return
    saved.save(name.trim(), isWithQuery, params)
    setName('')
    setLink('')
  }
  return (
    <Form className={styles.form} onSubmit={submit} aria-label="Save a layout">
      <TextField
        label="Name"
        value={name}
        onChange={setName}
        error={isFull ? `${MOST} layouts can be saved at most. Delete one first.` : undefined}
        hint={saved.list.some(view => view.name === name.trim()) ? 'Replaces the layout with this name.' : ''}
      />
      <TextField
        label="From a link"
        labelNote="otherwise the current layout"
        value={link}
        onChange={setLink}
        error={isBad ? 'This link contains no layout.' : undefined}
      />
      {query === '' || params ? null : (
        <label className={styles.check}>
          <input
            type="checkbox"
            checked={isWithQuery}
            onChange={event => setWithQuery(event.target.checked)}
          />
          with the query <code>{query}</code>
        </label>
      )}
      <Button type="submit" variant="primary" isDisabled={name.trim() === '' || isBad}>
        Save
      </Button>
    </Form>
  )
}

interface RowProps {
  readonly view: SavedView
  readonly saved: SavedViews
  readonly onClose: () => void
}

function Row({ view, saved, onClose }: RowProps) {
  const [name, setName] = useState<string>()
  const { linkTo } = saved
  const rename = () => {
    const wanted = name?.trim() ?? ''
    const isFree = wanted === view.name || saved.list.every(other => other.name !== wanted)
    if (wanted !== '' && isFree) saved.rename(view, wanted)
    setName(undefined)
  }
  const copy = async () => {
    if (!linkTo) return
    await navigator.clipboard.writeText(linkTo(view))
    toast.success('Link copied')
  }
  if (name !== undefined) {
    return (
      <li className={styles.row}>
        <Form className={styles.rename} onSubmit={rename}>
          <TextField label="New name" hideLabel value={name} onChange={setName} />
          <Button size="s" type="submit">
            Rename
          </Button>
        </Form>
      </li>
    )
  }
  return (
    <li className={styles.row}>
      <Button
        size="s"
        variant="quiet"
        onPress={() => {
          saved.apply(view)
          onClose()
        }}
      >
        {view.name}
      </Button>
      {view.params.q === undefined ? null : <code className={styles.text}>{view.params.q}</code>}
      <span className={styles.acts}>
        {linkTo ? (
          <ToolButton icon={Link} label={`Copy a link to ${view.name}`} onPress={() => void copy()} />
        ) : null}
        <ToolButton icon={Pencil} label={`Rename ${view.name}`} onPress={() => setName(view.name)} />
        <ToolButton icon={Trash2} label={`Delete ${view.name}`} onPress={() => saved.remove(view)} />
      </span>
    </li>
  )
}
