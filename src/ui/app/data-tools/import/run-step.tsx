// Import, step 3: progress, refused rows, and actions.
import { useSelector } from '@xstate/react'
import { useMemo } from 'react'
import type { RowImportEvent } from '../../../../machines/workbench/row-import.ts'
import { rowImportState, type RowImportState } from '../../../../services/workbench/jobs/index.ts'
import { Button } from '../../../widgets/button.tsx'
import { DialogActions } from '../../../widgets/dialog.tsx'
import { Progress } from '../../../widgets/progress.tsx'
import { RequestLink } from '../../requests/request-link.tsx'
import { Notice } from '../../shell/page.tsx'
import { isOver, type ImportJob } from '../jobs.ts'
import { JobConsole } from '../../job-console.tsx'
import styles from '../tools.module.css'
import { failedOf, ProblemList } from './problem-list.tsx'
import {
  type FailedRow,
  formatPhase,
  type Problem,
  settledRows,
  sumOf,
  undoLimit,
} from '../../../../services/workbench/table/index.ts'
import { formatCount, plural } from '../../../../services/workbench/text/index.ts'

/** The file's rows that were refused or whose result is unknown. */
const failedRows = ({ read }: ImportJob, { refused, unknown, phase, failure, total }: RowImportState) => {
  const of = (row: number, message: string): readonly FailedRow[] => {
    const source = read.ready[row]?.source
    return source === undefined ? [] : [{ source, message }]
  }
  const isRefused = phase === 'refused'
  const all = isRefused ? Array.from({ length: total }, (_, row) => row) : []
  return [
    ...refused.flatMap(({ row, failure: why }) => of(row, why.message)),
    ...unknown.flatMap(([from, to]) =>
      Array.from({ length: to - from }, (_, at) =>
        of(from + at, 'No response: it may be in the table.'),
      ).flat(),
    ),
    ...all.flatMap(row => of(row, failure?.message ?? '')),
  ]
}

const problemsOf = (failed: readonly FailedRow[], isRefused: boolean): readonly Problem[] =>
  isRefused ? [] : failed.map(({ source: { line }, message }) => ({ line, message }))

function Doubt({
  state,
  send,
}: {
  readonly state: RowImportState
  readonly send: (event: RowImportEvent) => void
}) {
  const [from, to] = state.range ?? [0, 0]
  return (
    <Notice tone="fail">
      {state.failure?.message} {plural(to - from, 'row')} may or may not be in the table: check before you
      send them again, or rows may be duplicated.
      <Button size="s" onPress={() => send({ type: 'import.retry' })}>
        Send again
      </Button>
      <Button size="s" onPress={() => send({ type: 'import.skip' })}>
        Skip them and continue
      </Button>
    </Notice>
  )
}

function Buttons(props: {
  readonly state: RowImportState
  readonly send: (event: RowImportEvent) => void
  readonly undo: (() => void) | undefined
  readonly onNext: () => void
  readonly onClose: () => void
}) {
  const { state, send, undo, onNext, onClose } = props
  const { phase, request } = state
  if (isOver(phase))
    return (
      <DialogActions>
        {undo ? (
          <Button
            onPress={() => {
              undo()
              onNext()
              onClose()
            }}
          >
            Undo import
          </Button>
        ) : null}
        <Button onPress={onNext}>Import another file</Button>
        <Button variant="primary" onPress={onClose}>
          Close
        </Button>
      </DialogActions>
    )
  const isHeld = phase === 'paused' || request === 'pause'
  return (
    <DialogActions>
      <Button
        variant="danger"
        isDisabled={request === 'cancel'}
        onPress={() => send({ type: 'import.cancel' })}
      >
        Cancel the rest
      </Button>
      {phase === 'backingOff' ? (
        <Button onPress={() => send({ type: 'import.resume' })}>Retry now</Button>
      ) : null}
      {phase === 'unconfirmed' ? null : isHeld ? (
        <Button variant="primary" onPress={() => send({ type: 'import.resume' })}>
          Resume
        </Button>
      ) : (
        <Button onPress={() => send({ type: 'import.pause' })}>Pause</Button>
      )}
      <Button onPress={onClose}>Hide</Button>
    </DialogActions>
  )
}

export interface RunStepProps {
  readonly running: ImportJob
  readonly onNext: () => void
  readonly onClose: () => void
}

export function RunStep({ running, onNext, onClose }: RunStepProps) {
  const { job, source, table } = running
  const state = useSelector(job.actor, rowImportState)
  const bad = useMemo(() => failedOf(running.read.bad, running.read.problems), [running])
  const failed = useMemo(() => [...bad, ...failedRows(running, state)], [bad, running, state])
  const isRefused = state.phase === 'refused'
  const done = settledRows(state)
  const limit = isOver(state.phase) ? undoLimit(running.undoBlock, state) : undefined
  const isTrouble = state.failure !== undefined && ['backingOff', 'paused', 'refused'].includes(state.phase)
  return (
    <>
      <Progress
        label={formatPhase(state, running.read.bad.length)}
        share={state.total === 0 ? 1 : isRefused ? 0 : done / state.total}
        text={`${formatCount(done)} of ${plural(state.total, 'row')}`}
        tone={state.phase === 'paused' || state.phase === 'canceled' || isRefused ? 'held' : 'going'}
      />
      <output className={styles.sum}>
        {isRefused
          ? `None of the ${plural(state.total, 'row')} was written`
          : sumOf(state, running.read.bad.length)}
        <RequestLink of={job.requestId()} onShow={onClose}>
          Show request
        </RequestLink>
      </output>
      {state.phase === 'unconfirmed' ? <Doubt state={state} send={job.actor.send} /> : null}
      {isTrouble ? <Notice tone="fail">{state.failure?.message}</Notice> : null}
      <ProblemList
        title={`${plural(failed.length, 'row')} failed`}
        problems={problemsOf(failed, isRefused)}
        source={source}
        failed={failed}
        fileName={`${table}-failed`}
      />
      <div>
        <JobConsole {...job} />
      </div>
      {limit === undefined ? null : <p className={styles.faint}>{limit}</p>}
      <Buttons state={state} send={job.actor.send} undo={running.undo()} onNext={onNext} onClose={onClose} />
    </>
  )
}
