// The recordings stored in this browser, which can be opened, downloaded or deleted.
import { History } from 'lucide-react'
import { useCallback, useRef, useState } from 'react'
import type { StoredRecording, TraceStore } from '../../../services/recording/index.ts'
import { Button, ToolButton } from '../../widgets/button.tsx'
import { Dialog } from '../../widgets/dialog.tsx'
import { TextField } from '../../widgets/field.tsx'
import { Form } from '../../widgets/form.tsx'
import { saveAs } from '../../widgets/save-as.ts'
import { useCommands } from '../commands/use-commands.ts'
import styles from './earlier-recordings.module.css'
import { elapsedTime, plural, traceFileName } from '../text.ts'
import { formatDateTime, formatSize } from '../../../services/workbench/text/index.ts'

/** Returns the store, which may have to be loaded. */
export type LoadStore = () => Promise<TraceStore>

export interface EarlierRecordingsProps {
  readonly load: LoadStore
  readonly onOpen: (file: File) => void
  /** Compares a recording with the shown one. */
  readonly onCompare: (file: File) => void
}

/** A button and its list. */
export function EarlierRecordings({ load, onOpen, onCompare }: EarlierRecordingsProps) {
  const [isOpen, setOpen] = useState(false)
  const { list, status, refresh } = useStored(load)
  const close = () => setOpen(false)
  const show = () => {
    setOpen(true)
    refresh()
  }
  useCommands([
    {
      id: 'recording.earlier',
      title: 'Earlier recordings',
      section: 'Recording',
      words: 'kept stored history',
      run: show,
    },
  ])
  const take = async (recording: StoredRecording, then: (file: File) => void) => {
    const file = await openStored(load, recording)
    if (file) then(file)
    else refresh()
  }
  return (
    <>
      <ToolButton icon={History} iconSize={15} label="Earlier recordings" onPress={show} />
      <Dialog title="Earlier recordings" isOpen={isOpen} onClose={close} wide>
        {status === undefined ? null : <p>{status}</p>}
        {list?.length === 0 ? <p>No stored recordings yet.</p> : null}
        <ul className={styles.list} aria-label="Earlier recordings">
          {list?.map(recording => (
            <Row
              key={recording.id}
              recording={recording}
              onSave={() => void take(recording, file => saveAs(file, file.name))}
              onShow={() => {
                close()
                void take(recording, onOpen)
              }}
              onCompare={() => {
                close()
                void take(recording, onCompare)
              }}
              onRename={name => void load().then(store => store.rename(recording.id, name).then(refresh))}
              onDelete={() => void load().then(store => store.delete(recording.id).then(refresh))}
            />
          ))}
        </ul>
      </Dialog>
    </>
  )
}

interface RowProps {
  readonly recording: StoredRecording
  readonly onSave: () => void
  readonly onShow: () => void
  readonly onCompare: () => void
  readonly onRename: (name: string) => void
  readonly onDelete: () => void
}

const STATES = { running: 'running', closed: 'ended', cutOff: 'tab closed or reloaded' } as const

/** The start of the id; the whole id is the tooltip. */
const userText = (user: string | undefined) => (user === undefined ? undefined : `user ${user.slice(0, 8)}`)

function Row({ recording, onSave, onShow, onCompare, onRename, onDelete }: RowProps) {
  const [isNaming, setNaming] = useState(false)
  const { name, startedAt, duration, steps, failures, user, bytes, state } = recording
  const time = formatDateTime(startedAt)
  const facts = [
    name === '' && !isNaming ? undefined : time,
    STATES[state],
    elapsedTime(duration),
    plural(steps, 'event'),
    failures === 0 ? 'no failures' : plural(failures, 'failure'),
    userText(user),
    formatSize(bytes),
  ]
  return (
    <li className={styles.row}>
      <div className={styles.about}>
        {isNaming ? (
          <NameForm
            name={name}
            onDone={next => {
              setNaming(false)
              if (next !== undefined && next !== name) onRename(next)
            }}
          />
        ) : (
          <span>{name || time}</span>
        )}
        <span className={styles.facts} title={user}>
          {facts.filter(Boolean).join(' · ')}
        </span>
      </div>
      <div className={styles.acts}>
        <Button size="s" variant="quiet" onPress={onShow}>
          Open
        </Button>
        <Button size="s" variant="quiet" onPress={onCompare}>
          Compare
        </Button>
        <Button size="s" variant="quiet" onPress={onSave}>
          Download
        </Button>
        <Button size="s" variant="quiet" isDisabled={isNaming} onPress={() => setNaming(true)}>
          Rename
        </Button>
        <Button size="s" variant="quiet" isDisabled={state === 'running'} onPress={onDelete}>
          Delete
        </Button>
      </div>
    </li>
  )
}

interface NameFormProps {
  readonly name: string
  /** Called with the new name; without one if the user canceled. */
  readonly onDone: (name?: string) => void
}

const focusNow = (input: HTMLInputElement | null) => {
  input?.focus()
  input?.select()
}

/** Enter saves, Escape cancels, and leaving the field saves. */
function NameForm({ name, onDone }: NameFormProps) {
  const [text, setText] = useState(name)
  const isOver = useRef(false)
  /** Removing the focused field blurs it. */
  const end = (next?: string) => {
    if (!isOver.current) onDone(next)
    isOver.current = true
  }
  const save = () => end(text.trim())
  return (
    <Form className={styles.name} onSubmit={save}>
      <TextField
        label="Name of the recording"
        hideLabel
        placeholder="Name"
        inputRef={focusNow}
        maxLength={100}
        value={text}
        onChange={setText}
        onBlur={save}
        onKeyDown={event => {
          if (event.key !== 'Escape') return event.continuePropagation()
          end()
        }}
      />
    </Form>
  )
}

/** Returns the stored recordings as of the last load. */
function useStored(load: LoadStore) {
  const [list, setList] = useState<readonly StoredRecording[]>()
  const [status, setStatus] = useState<string>()
  const refresh = useCallback(() => {
    void load().then(
      async store => {
        setList(await store.list())
        setStatus(store.status().reason)
      },
      () => setStatus('The recording store could not be loaded.'),
    )
  }, [load])
  return { list, status, refresh }
}

/** Returns a stored recording as a file; undefined if it was deleted. */
export async function openStored(load: LoadStore, recording: StoredRecording): Promise<File | undefined> {
  const blob = await (await load()).open(recording.id)
  return blob && new File([blob], traceFileName(recording), { type: blob.type })
}
