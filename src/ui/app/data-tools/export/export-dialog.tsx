// The export dialog: rows, format and progress.
import { useState } from 'react'
import { Label, Radio, RadioGroup } from 'react-aria-components'
import { Button } from '../../../widgets/button.tsx'
import { cx } from '../../../widgets/cx.ts'
import { Dialog, DialogActions } from '../../../widgets/dialog.tsx'
import { Progress } from '../../../widgets/progress.tsx'
import {
  type ExportFormat,
  type ExportScope,
  FORMATS,
  type TableToolsProps,
  createExportWriter,
  createRowReader,
  exportName,
  type Row,
  scopeQuery,
  type Column,
  flatRow,
  type TableInfo,
} from '../../../../services/workbench/table/index.ts'
import { RequestLink } from '../../requests/request-link.tsx'
import { Notice } from '../../shell/page.tsx'
import { JobConsole } from '../../job-console.tsx'
import styles from '../tools.module.css'
import {
  formatCount,
  plural,
  exactNumber,
  JSON_NUMBER,
  parseExact,
} from '../../../../services/workbench/text/index.ts'
import { useSelector } from '@xstate/react'
import {
  createRowExport,
  isIncomplete,
  type RowExport,
  type RowExportPhase,
  type RowExportState,
  rowExportState,
} from '../../../../services/workbench/jobs/index.ts'
import { useClient } from '../../../react/index.ts'
import { saveAs } from '../../../widgets/save-as.ts'
import { fetchOfUser } from '../../../../services/workbench/storage/index.ts'
import { workRecordings } from '../../work-recordings.ts'
import { useJob, useJobs, type ExportJob } from '../jobs.ts'

interface Choice<Id extends string> {
  readonly id: Id
  readonly label: string
  readonly about: string
}

function Choices<Id extends string>(props: {
  readonly label: string
  readonly choices: readonly Choice<Id>[]
  readonly value: Id
  readonly onChange: (id: Id) => void
}) {
  const { label, choices, value, onChange } = props
  return (
    <RadioGroup
      value={value}
      onChange={id => {
        const chosen = choices.find(choice => choice.id === id)
        if (chosen) onChange(chosen.id)
      }}
      className={cx(styles.radios)}
    >
      <Label className={cx(styles.radiosLabel)}>{label}</Label>
      {choices.map(choice => (
        <Radio key={choice.id} value={choice.id} className={cx(styles.radio)}>
          <span className={styles.radioText}>
            {choice.label}
            <span className={styles.faint}>{choice.about}</span>
          </span>
        </Radio>
      ))}
    </RadioGroup>
  )
}

const scopesOf = ({
  query,
  info,
  total,
  isExact,
  selected,
}: TableToolsProps): readonly Choice<ExportScope>[] => {
  const isNarrowed = query.filters.length > 0 || query.columns.length > 0 || query.sorts.length > 0
  const rows = total === null ? 'all rows' : `${isExact ? '' : 'about '}${plural(total, 'row')}`
  const shown: Choice<ExportScope> = {
    id: 'matching',
    label: 'Current view (all pages)',
    about: `${rows}, with the current filters, sort order and ${query.columns.length > 0 ? `these ${plural(query.columns.length, 'column')}` : 'all columns'}.`,
  }
  const all: Choice<ExportScope> = {
    id: 'all',
    label: 'The whole table',
    about: `Every row visible to you, all ${plural(info.columns.length, 'column')}.`,
  }
  const chosen: Choice<ExportScope> = {
    id: 'selected',
    label: `The ${plural(selected.length, 'selected row')}`,
    about: 'As shown.',
  }
  return [...(selected.length > 0 ? [chosen] : []), ...(isNarrowed ? [shown, all] : [all])]
}

const WORDS = {
  reading: 'Reading',
  backingOff: 'Waiting to retry',
  paused: 'Paused',
  failed: 'Failed',
  canceled: 'Canceled',
  done: 'Saved',
} as const

const COUNTED =
  'Without a unique key, pages use offsets: rows written or deleted during the export may be missing or appear twice.'

const uncounted = (read: number) =>
  `${plural(read, 'row')} were saved. The backend did not count the rows, so these may not be all of them.`

const partly = (read: number, total: number) =>
  `${formatCount(read)} of ${plural(total, 'row')} were saved: the backend did not return the others, or other users were writing to the table. Look for the missing rows, or repeat the export.`

function Running({ exporting, onClose }: { readonly exporting: Exporting; readonly onClose: () => void }) {
  const { state, job, save, repeat, reset, hasCounted } = exporting
  if (state === undefined || job === undefined) return null
  const { phase, read, failure, total } = state
  const expected = total ?? state.expected
  const isPart = phase === 'failed' && isIncomplete(failure)
  const isHeld = phase === 'paused' || phase === 'failed'
  const share = phase === 'done' ? 1 : expected === undefined ? undefined : read / Math.max(1, expected)
  return (
    <>
      <Progress
        label={isPart ? 'Incomplete' : WORDS[phase]}
        share={isHeld ? (share ?? 0) : share}
        text={
          expected === undefined || phase === 'done'
            ? plural(read, 'row')
            : `${formatCount(read)} of ${plural(expected, 'row')}`
        }
        tone={isHeld ? 'held' : 'going'}
      />
      <output className={styles.sum}>
        {phase === 'done' || isPart ? 'The file is in your downloads.' : 'Rows are read page by page.'}
        <RequestLink of={job.requestId()} onShow={onClose}>
          Show request
        </RequestLink>
      </output>
      {hasCounted && read > 0 ? <Notice>{COUNTED}</Notice> : null}
      {phase === 'done' && total === undefined ? <Notice>{uncounted(read)}</Notice> : null}
      {failure === undefined ? null : (
        <Notice tone="fail">{isPart ? partly(read, total ?? read) : failure.message}</Notice>
      )}
      <div>
        <JobConsole {...job} />
      </div>
      <DialogActions>
        {phase === 'done' ? (
          <>
            <Button onPress={save}>Download again</Button>
            <Button onPress={reset}>New export</Button>
            <Button variant="primary" onPress={onClose}>
              Close
            </Button>
          </>
        ) : (
          <>
            <Button variant="danger" onPress={reset}>
              Cancel
            </Button>
            <Button onPress={onClose}>Hide</Button>
            {phase !== 'reading' && read > 0 ? (
              <Button onPress={save}>Download the {plural(read, 'row')} read so far</Button>
            ) : null}
            {isPart ? <Button onPress={repeat}>Repeat export</Button> : null}
            {phase === 'reading' ? (
              <Button onPress={() => job.actor.send({ type: 'export.pause' })}>Pause</Button>
            ) : (
              <Button variant="primary" onPress={() => job.actor.send({ type: 'export.resume' })}>
                {isPart ? 'Look for missing rows' : phase === 'backingOff' ? 'Retry now' : 'Resume'}
              </Button>
            )}
          </>
        )}
      </DialogActions>
    </>
  )
}

export interface ExportDialogProps extends TableToolsProps {
  readonly onClose: () => void
}

export function ExportDialog(props: ExportDialogProps) {
  const { query, onClose } = props
  const exporting = useExport(props)
  const scopes = scopesOf(props)
  const [scope, setScope] = useState<ExportScope>(scopes[0]?.id ?? 'all')
  const [format, setFormat] = useState<ExportFormat>('spreadsheet')
  return (
    <Dialog title={`Export rows of ${exporting.table ?? query.table}`} isOpen onClose={onClose} wide>
      {exporting.state ? (
        <Running exporting={exporting} onClose={onClose} />
      ) : (
        <>
          <Choices label="Rows" choices={scopes} value={scope} onChange={setScope} />
          <Choices label="Format" choices={FORMATS} value={format} onChange={setFormat} />
          <DialogActions>
            <Button onPress={onClose}>Cancel</Button>
            <Button variant="primary" onPress={() => exporting.start(scope, format)}>
              Export
            </Button>
          </DialogActions>
        </>
      )}
    </Dialog>
  )
}

const saveFile = (
  { writer, table, format }: Pick<ExportJob, 'writer' | 'table' | 'format'>,
  part?: Parameters<typeof exportName>[2],
) => saveAs(writer.file(), exportName(table, format, part))

interface NamedType {
  readonly name: string
  readonly type: Column['type']
}

/** The grid holds large numbers and JSON as text. */
const withValues = ({ isKnown }: TableInfo, columns: readonly NamedType[], row: Row): Row =>
  Object.fromEntries(
    Object.entries(row).map(([name, value]) => {
      const type = columns.find(column => column.name === name)?.type
      if (typeof value !== 'string') return [name, value]
      if (type === 'json' && isKnown) return [name, parseExact(value)]
      const isNumber = (type === 'integer' || type === 'number') && JSON_NUMBER.test(value)
      return [name, isNumber ? exactNumber(value) : value]
    }),
  )

const saveSoFar = (running: ExportJob) => {
  const { phase, read, total } = rowExportState(running.job.actor.getSnapshot())
  saveFile(running, phase === 'done' ? undefined : { rows: read, of: total })
}

/** Downloads an export that has ended, even if its dialog is closed; one without all rows is named so. */
const saveWhenDone = (running: ExportJob) => {
  let before: RowExportPhase = 'reading'
  running.job.actor.subscribe(snapshot => {
    const { phase, failure } = rowExportState(snapshot)
    if (phase !== before && (phase === 'done' || (phase === 'failed' && isIncomplete(failure))))
      saveSoFar(running)
    before = phase
  })
}

export interface Exporting {
  /** The exported table. */
  readonly table: string | undefined
  readonly state: RowExportState | undefined
  /** Rows written concurrently may be missing or appear twice. */
  readonly hasCounted: boolean
  readonly start: (scope: ExportScope, format: ExportFormat) => void
  readonly job: RowExport | undefined
  /** Downloads the rows read so far; the file name shows when they are not all. */
  readonly save: () => void
  /** Starts the same export again. */
  readonly repeat: () => void
  readonly reset: () => void
}

/** Continues when its dialog is closed. */
export function useExport({ query, info, total, isExact, selected }: TableToolsProps): Exporting {
  const client = useClient()
  const { exporting } = useJobs()
  const running = useJob(exporting)
  const state = useSelector(running?.job.actor, snapshot => snapshot && rowExportState(snapshot))
  const start = (scope: ExportScope, format: ExportFormat) => {
    const { table, filters } = query
    const wanted = scopeQuery(query, info, scope)
    const names = wanted.columns.length > 0 ? wanted.columns : info.columns.map(({ name }) => name)
    const related = (wanted.related ?? []).map(({ name, type = 'text' }) => ({ name, type }))
    const columns: readonly NamedType[] = [...info.columns, ...related]
    const writer = createExportWriter(format, names, columns)
    if (scope === 'selected') {
      writer.addRows(selected.map(row => withValues(info, columns, flatRow(row, wanted.related ?? []))))
      return saveFile({ writer, table, format })
    }
    const isCounted = isExact && (scope === 'matching' || filters.length === 0)
    const reader = createRowReader({ query: wanted, info })
    const job = createRowExport({
      fetch: fetchOfUser(client),
      reader,
      take: writer.addRows,
      expected: isCounted ? (total ?? undefined) : undefined,
    })
    const repeat = () => start(scope, format)
    const next = { table, format, writer, job, hasCounted: reader.hasCounted, repeat }
    workRecordings(client).add(`Export of ${table}`, job)
    saveWhenDone(next)
    exporting.set(next)
  }
  return {
    table: running?.table,
    state,
    job: running?.job,
    hasCounted: running?.hasCounted() ?? false,
    save: () => running && saveSoFar(running),
    repeat: () => running?.repeat(),
    start,
    reset: () => exporting.set(undefined),
  }
}
