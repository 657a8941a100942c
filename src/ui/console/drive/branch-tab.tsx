// Branches from the selected event into a live sandbox, optionally with one change.
import { Split } from 'lucide-react'
import { useState } from 'react'
import type { Stimulus, StimulusFacts } from '../../../trace/index.ts'
import { Button } from '../../widgets/button.tsx'
import { TextArea } from '../../widgets/text-area.tsx'
import { Select } from '../../widgets/select.tsx'
import { EmptyState } from '../../widgets/state.tsx'
import { count, messageOf } from '../text.ts'
import { beginSandbox, type Begun, type BranchPlace, type Change } from './begin-sandbox.ts'
import styles from './drive.module.css'
import { parsed } from './payload.ts'

const CHANGES = [
  { id: 'none', label: 'unchanged' },
  { id: 'drop', label: 'skip it' },
  { id: 'change', label: 'replace it' },
]

export interface BranchTabProps {
  readonly place: BranchPlace
  readonly onBranch: (begun: Begun) => void
}

export function BranchTab({ place, onBranch }: BranchTabProps) {
  const { timeline, seq, file } = place
  const stimulus = timeline.stimulus(timeline.cause(seq))
  if (seq < 0 || !stimulus) {
    return (
      <EmptyState icon={<Split size={20} aria-hidden />} title="Select an event to branch from">
        {seq < 0
          ? 'Replays everything up to it in a sandbox, then continues live. No side effects are executed.'
          : 'This event has no recorded cause: its actor existed when the recording began.'}
      </EmptyState>
    )
  }
  return (
    <div className={styles.pane}>
      <p className={styles.outcome}>
        Branch from #{count(seq)} <code>{timeline.type(seq)}</code>
        {file ? ` of ${file.name}` : ''}
      </p>
      <p className={styles.faint}>
        Replays everything up to this point into a copy, then continues live. Effects wait for your input; no
        side effects are executed.
      </p>
      <BranchForm key={stimulus.seq} place={place} stimulus={stimulus} onBranch={onBranch} />
    </div>
  )
}

interface BranchFormProps extends BranchTabProps {
  readonly stimulus: StimulusFacts
}

function BranchForm({ place, stimulus, onBranch }: BranchFormProps) {
  const [change, setChange] = useState('none')
  const [recorded, setRecorded] = useState<Stimulus>()
  const [text, setText] = useState('')
  const [error, setError] = useState<string>()
  const [isBusy, setBusy] = useState(false)
  const fail = (reason: unknown) => setError(messageOf(reason))
  const begin = () => {
    const made = changeOf(change, text)
    if ('error' in made) return setError(made.error)
    setBusy(true)
    setError(undefined)
    beginSandbox(place, stimulus.seq, made.change)
      .then(onBranch, fail)
      .finally(() => setBusy(false))
  }
  const choose = (next: string) => {
    setChange(next)
    setError(undefined)
    if (recorded) return
    place.details.stimulus(stimulus.seq).then(found => {
      setRecorded(found)
      setText(JSON.stringify(found.event ?? { type: '' }, undefined, 2))
    }, fail)
  }
  return (
    <>
      <Select
        label={`Cause (${wordsOf(stimulus, place)})`}
        options={CHANGES}
        value={change}
        onChange={choose}
      />
      {change === 'change' ? (
        <TextArea label="Event" labelNote="JSON" mono rows={6} value={text} onChange={setText} />
      ) : null}
      <Button
        variant="primary"
        size="s"
        isPending={isBusy}
        icon={<Split size={13} aria-hidden />}
        onPress={begin}
      >
        Branch from here
      </Button>
      {error === undefined ? null : (
        <p role="alert" className={styles.problem}>
          {error}
        </p>
      )}
    </>
  )
}

function changeOf(change: string, text: string): { readonly change: Change } | { readonly error: string } {
  if (change === 'drop') return { change: { edit: 'drop', event: undefined } }
  if (change !== 'change') return { change: undefined }
  const read = parsed(text)
  return 'error' in read ? read : { change: { edit: 'change', event: read.value } }
}

const KINDS = { external: 'app event', leaf: 'effect result', timer: 'timer', stop: 'stop' }

function wordsOf({ kind, to, from }: StimulusFacts, { timeline: { actors } }: BranchPlace): string {
  const who = actors[kind === 'leaf' ? (from ?? to) : to]?.path ?? ''
  return `${KINDS[kind]}, ${kind === 'leaf' ? '' : 'to '}${who.slice(who.lastIndexOf('/') + 1)}`
}
