// The recordings stored in this browser, which can be opened, downloaded or deleted.
import { History } from 'lucide-react'
import { useCallback, useState } from 'react'
import type { StoredRecording, TraceStore } from '../../../services/recording/index.ts'
import { Button, ToolButton } from '../../widgets/button.tsx'
import { Dialog } from '../../widgets/dialog.tsx'
import { saveAs } from '../../widgets/save-as.ts'
import { useCommands } from '../commands/use-commands.ts'
import styles from './earlier-recordings.module.css'
import { elapsedTime, plural, traceFileName } from '../text.ts'
import { formatDateTime } from '../../widgets/format.ts'
import { formatSize } from '../../../machines/index.ts'

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
  readonly onDelete: () => void
}

const STATES = { running: 'running', closed: 'ended', cutOff: 'tab closed or reloaded' } as const

function Row({ recording, onSave, onShow, onCompare, onDelete }: RowProps) {
  const { startedAt, duration, steps, bytes, state } = recording
  const facts = [STATES[state], elapsedTime(duration), plural(steps, 'event'), formatSize(bytes)]
  return (
    <li className={styles.row}>
      <div className={styles.about}>
        <span>{formatDateTime(startedAt)}</span>
        <span className={styles.facts}>{facts.filter(Boolean).join(' · ')}</span>
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
        <Button size="s" variant="quiet" isDisabled={state === 'running'} onPress={onDelete}>
          Delete
        </Button>
      </div>
    </li>
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
