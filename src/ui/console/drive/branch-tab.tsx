// Goes on live from the selected event, in a sandbox, as it was or with one thing changed.
import { Split } from 'lucide-react'
import { useState } from 'react'
import { Button } from '../../widgets/button.tsx'
import { TextArea } from '../../widgets/field.tsx'
import { Select } from '../../widgets/select.tsx'
import { EmptyState } from '../../widgets/state.tsx'
import { messageOf } from '../text.ts'
import { beginSandbox, type Begun } from './begin-sandbox.ts'
import type { DrivePlace } from './drive-panel.tsx'
import styles from './drive.module.css'
import { parsed } from './payload.ts'

const CHANGES = [
  { id: 'none', label: 'as it was' },
  { id: 'drop', label: 'without it' },
  { id: 'change', label: 'with another event in its place' },
]

export interface BranchTabProps {
  readonly place: DrivePlace
  readonly onBranch: (begun: Begun) => void
}

export function BranchTab({ place, onBranch }: BranchTabProps) {
  const [change, setChange] = useState('none')
  const [text, setText] = useState('')
  const [error, setError] = useState<string>()
  const [isBusy, setBusy] = useState(false)
  const { record, source } = place
  const stimulus = source.stimuli[record?.cause ?? -1]
  if (!record || !stimulus) {
    return (
      <EmptyState icon={<Split size={20} aria-hidden />} title="Choose an event to go on from">
        Everything up to it happens again in a sandbox; then it goes on live, and nothing of it reaches the
        world.
      </EmptyState>
    )
  }
  const begin = () => {
    const read = change === 'change' ? parsed(text) : { value: undefined }
    if ('error' in read) return setError(read.error)
    setBusy(true)
    setError(undefined)
    const edit =
      change === 'drop' || change === 'change' ? ({ edit: change, event: read.value } as const) : undefined
    beginSandbox(place, record, stimulus.seq, edit)
      .then(onBranch, (reason: unknown) => setError(messageOf(reason)))
      .finally(() => setBusy(false))
  }
  const choose = (next: string) => {
    setChange(next)
    setText(JSON.stringify(stimulus.event ?? { type: '' }, undefined, 2))
  }
  return (
    <div className={styles.pane}>
      <p className={styles.outcome}>
        Go on from #{record.seq} <code>{record.event.type}</code>
      </p>
      <p className={styles.faint}>
        All that entered the system until then enters a copy of it, which then goes on live. Effects wait to
        be told what they say; nothing reaches the world.
      </p>
      <Select
        label={`What set it off (${wordsOf(stimulus)})`}
        options={CHANGES}
        value={change}
        onChange={choose}
      />
      {change === 'change' ? (
        <TextArea label="The event" labelNote="JSON" mono rows={6} value={text} onChange={setText} />
      ) : null}
      <Button
        variant="primary"
        size="s"
        isPending={isBusy}
        icon={<Split size={13} aria-hidden />}
        onPress={begin}
      >
        Go on from here
      </Button>
      {error === undefined ? null : (
        <p role="alert" className={styles.problem}>
          {error}
        </p>
      )}
    </div>
  )
}

function wordsOf({ kind, event }: { readonly kind: string; readonly event?: unknown }): string {
  const type = typeof event === 'object' && event !== null && 'type' in event ? String(event.type) : kind
  return (
    { external: `${type} from the app`, timer: `timer ${type}`, leaf: `${type} of an effect` }[kind] ?? type
  )
}
