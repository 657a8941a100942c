// Dialog for moving, copying and renaming: target folder and name.
import { CornerLeftUp, Folder as FolderIcon } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { exactOptional, object, string } from 'valibot'
import { Button } from '../../../widgets/button.tsx'
import { Dialog } from '../../../widgets/dialog.tsx'
import { TextField } from '../../../widgets/field.tsx'
import { Form } from '../../../widgets/form.tsx'
import { Skeleton } from '../../../widgets/state.tsx'
import { notify } from '../../shell/notify.ts'
import styles from '../files.module.css'
import { JobActions, JobProgress } from './job-view.tsx'
import {
  endWords,
  folderFault,
  folderOf,
  isBusy,
  isJobOver,
  joinPath,
  movedPath,
  nameFault,
  nameOf,
  relocating,
} from '../../../../services/workbench/files/index.ts'
import { useJob, type Target } from './use-job.ts'
import { useKeptForm } from '../../use-draft.ts'
import { explainFailure } from '../../../../services/workbench/rest/index.ts'
import { isLoading } from '../../use-page-request.ts'
import { useFolder } from '../use-listing.ts'
import { plural } from '../../../../services/workbench/text/index.ts'

export type MoveMode = 'rename' | 'move' | 'copy'

export interface MoveDialogProps {
  readonly bucket: string
  readonly mode: MoveMode
  readonly targets: readonly Target[]
  /** Called with the new path when a single entry was moved or renamed. */
  readonly onChanged: (moved?: Moved) => void
  readonly onClose: () => void
}

export interface Moved {
  readonly from: string
  readonly to: string
}

/** Number of concurrent calls. */
const AT_ONCE = 6
const VERBS = { rename: 'Rename', move: 'Move', copy: 'Copy' } as const
const FOCUSED = { autoFocus: true } as const
const DOING = { rename: 'Renaming', move: 'Moving', copy: 'Copying' } as const
const DONE = { rename: 'Renamed', move: 'Moved', copy: 'Copied' } as const

function FolderChoice(props: {
  readonly bucket: string
  readonly folder: string
  readonly onChange: (folder: string) => void
}) {
  const { bucket, folder, onChange } = props
  const listed = useFolder(bucket, folder)
  const folders = listed.data?.entries.filter(entry => entry.isFolder) ?? []
  return (
    <div className={styles.folders} role="group" aria-label={`Folders in ${folder === '' ? bucket : folder}`}>
      {folder === '' ? null : (
        <Button
          size="s"
          variant="quiet"
          icon={<CornerLeftUp size={14} aria-hidden />}
          onPress={() => onChange(folderOf(folder))}
        >
          Parent folder
        </Button>
      )}
      {isLoading(listed) ? <Skeleton rows={2} label="Loading folders" /> : null}
      {folders.map(({ name }) => (
        <Button
          key={name}
          size="s"
          variant="quiet"
          icon={<FolderIcon size={14} aria-hidden />}
          onPress={() => onChange(joinPath(folder, name))}
        >
          {name}
        </Button>
      ))}
      {listed.data && folders.length === 0 ? (
        <span className={styles.faint}>No subfolders. Enter a new name below to create one.</span>
      ) : null}
      {listed.failure ? <span className={styles.faint}>{explainFailure(listed.failure).message}</span> : null}
    </div>
  )
}

/** Why the target is invalid. */
function faultOf(mode: MoveMode, targets: readonly Target[], folder: string, name: string) {
  const [only] = targets
  const inside = targets.find(({ path, isFolder }) => isFolder && `${folder}/`.startsWith(`${path}/`))
  const where =
    folderFault(folder) ??
    (inside && mode !== 'rename' ? `${nameOf(inside.path)} can’t be put into itself.` : undefined)
  const isSame = targets.every(
    ({ path }) => joinPath(folder, targets.length === 1 ? name : nameOf(path)) === path,
  )
  const same = isSame
    ? mode === 'rename'
      ? 'It already has this name.'
      : 'It is already in this folder.'
    : undefined
  return {
    where: where ?? (mode === 'rename' ? undefined : same),
    name:
      (only && targets.length === 1 ? nameFault(name) : undefined) ?? (mode === 'rename' ? same : undefined),
  }
}

const writtenSchema = object({ folder: exactOptional(string()), name: exactOptional(string()) })

/** Target folder and name: input is kept until it is used or canceled. */
function usePlace({ bucket, mode, targets, onClose }: MoveDialogProps) {
  const about = [bucket, mode, ...targets.map(({ path }) => path)]
  const { written, save, forget } = useKeptForm('place', about, writtenSchema)
  const first = targets[0]?.path ?? ''
  return {
    folder: written?.folder ?? folderOf(first),
    name: written?.name ?? nameOf(first),
    setFolder: (folder: string) => save({ ...written, folder }),
    setName: (name: string) => save({ ...written, name }),
    close: () => {
      forget()
      onClose()
    },
  }
}

/** Folders move with all their files, one by one; refused files stay in place. */
export function MoveDialog(props: MoveDialogProps) {
  const { bucket, mode, targets, onChanged } = props
  const { folder, name, setFolder, setName, close: onClose } = usePlace(props)
  const kind = mode === 'copy' ? 'copy' : 'move'
  const { state: job, begin, send } = useJob({ kind, bucket, targets, size: AT_ONCE })
  const [only] = targets
  const isOne = targets.length === 1 && only !== undefined
  const [isTried, setTried] = useState(false)
  // After “Keep both”, the final name is not known here.
  const wasAsked = useRef(false)
  const changed = () =>
    onChanged(
      isOne && mode !== 'copy' && !wasAsked.current
        ? { from: only.path, to: joinPath(folder, name) }
        : undefined,
    )
  const close = useRef({ changed, onClose })
  useEffect(() => {
    close.current = { changed, onClose }
  })
  useEffect(() => {
    if (job.phase === 'asking') wasAsked.current = true
    if (!isJobOver(job)) return
    if (job.done > 0) close.current.changed()
    if (job.phase !== 'done') return
    notify({ tone: 'ok', title: endWords(DONE[mode], job) })
    close.current.onClose()
  }, [job, mode])
  const fault = faultOf(mode, targets, folder, name)
  const targetOf = (path: string) => {
    const entry = targets.find(each => path === each.path || path.startsWith(`${each.path}/`))
    if (!entry) return path
    return movedPath(path, entry.path, joinPath(folder, isOne ? name : nameOf(entry.path)))
  }
  const submit = () => {
    setTried(true)
    if (fault.where !== undefined || fault.name !== undefined || job.phase !== 'ready') return
    begin(relocating(kind, targetOf))
  }
  const what = isOne ? nameOf(only.path) : plural(targets.length, 'entry', 'entries')
  return (
    <Dialog
      title={`${VERBS[mode]} ${what}`}
      isOpen
      onClose={isBusy(job) ? () => send({ type: 'job.cancel' }) : onClose}
    >
      <Form onSubmit={submit} className={styles.form} aria-label={`${VERBS[mode]} ${what}`}>
        {isJobOver(job) ? <p>{endWords(DONE[mode], job)}.</p> : null}
        {isJobOver(job) || isBusy(job) ? null : (
          <>
            {mode === 'rename' ? null : (
              <>
                <FolderChoice bucket={bucket} folder={folder} onChange={setFolder} />
                <TextField
                  label="Folder"
                  labelNote={folder === '' ? `the root of ${bucket}` : 'created if missing'}
                  mono
                  value={folder}
                  onChange={setFolder}
                  error={isTried ? fault.where : undefined}
                />
              </>
            )}
            {isOne ? (
              <TextField
                label="Name"
                mono
                {...(mode === 'rename' && FOCUSED)}
                value={name}
                onChange={setName}
                error={isTried ? fault.name : undefined}
              />
            ) : null}
          </>
        )}
        <JobProgress job={job} verb={DOING[mode]} send={send} />
        <JobActions job={job} send={send} onClose={onClose} keep="Cancel">
          <Button
            type="submit"
            variant="primary"
            isPending={isBusy(job)}
            isDisabled={job.phase === 'counting'}
          >
            {VERBS[mode]}
          </Button>
        </JobActions>
      </Form>
    </Dialog>
  )
}
