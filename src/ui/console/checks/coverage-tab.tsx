// The Coverage tab: states, transitions and guard branches reached by the shown trace and added ones.
import { FilePlus2, Flame, RefreshCw, Download } from 'lucide-react'
import { useRef, useCallback, useEffect, useState } from 'react'
import { Button, IconButton } from '../../widgets/button.tsx'
import { EmptyState } from '../../widgets/state.tsx'
import { useTimeout } from '../../widgets/time.ts'
import { plural } from '../text.ts'
import { whyInWords, coverageAsText } from './coverage-rows.ts'
import { CoverageTable } from './coverage-table.tsx'
import { useJob, JobStatus } from './use-job.tsx'
import type { Answer } from './jobs.ts'
import styles from './checks.module.css'
import type { CoverageReport } from '../../../trace/index.ts'
import { ActionMenu, MenuButton } from '../../widgets/menu.tsx'
import { saveAs } from '../../widgets/save-as.ts'
import { copyText } from '../state/clipboard.ts'
import { useConsole } from '../use-console.ts'

export function CoverageTab() {
  const coverage = useCoverage()
  const { state, answer, files, isStale, count, add, drop } = coverage
  return (
    <div className={styles.pane}>
      <header className={styles.head}>
        <Origin answer={answer} isStale={isStale} />
        <span className={styles.tools}>
          {isStale ? (
            <Button size="s" icon={<RefreshCw size={13} aria-hidden />} onPress={count}>
              Recount
            </Button>
          ) : null}
          <AddFiles onAdd={add} />
          {answer ? <CoverageExport report={answer.report} /> : null}
        </span>
      </header>
      <JobStatus doing="Counting" job={coverage} />
      <Files files={files} answer={answer} onDrop={drop} />
      {answer ? (
        answer.report.machines.length > 0 ? (
          <CoverageTable report={answer.report} />
        ) : (
          <EmptyState icon={<Flame size={20} aria-hidden />} title="No machines">
            This trace contains no charts of its machines, so there is nothing to compare it with.
          </EmptyState>
        )
      ) : null}
      {!answer && (state.phase === 'none' || state.phase === 'canceled') ? (
        <EmptyState
          icon={<Flame size={20} aria-hidden />}
          title="Coverage of the machines"
          action={
            <Button size="s" variant="primary" onPress={count}>
              Count
            </Button>
          }
        >
          Replays the trace and counts each state, transition and guard branch.
        </EmptyState>
      ) : null}
    </div>
  )
}

const HOW = {
  replayed: 'from replay',
  partly: 'from partial replay',
  recorded: 'from the recording',
} as const

function Origin({
  answer,
  isStale,
}: {
  readonly answer: Answer<'cover'> | undefined
  readonly isStale: boolean
}) {
  const [trace, ...more] = answer?.report.traces ?? []
  if (!trace) return <span role="status" className={styles.faint} />
  const { how, reason } = trace
  return (
    <span role="status" className={styles.faint} title={reason}>
      Counted {more.length > 0 ? `over ${plural(more.length + 1, 'trace')}` : HOW[how]}
      {isStale ? ', out of date' : ''}
      {reason === undefined ? '' : ` · ${whyInWords(reason)}`}
    </span>
  )
}

interface FilesProps {
  readonly files: readonly File[]
  readonly answer: Answer<'cover'> | undefined
  readonly onDrop: (file: File) => void
}

function Files({ files, answer, onDrop }: FilesProps) {
  if (files.length === 0) return null
  const bad = new Map(answer?.unusable.map(({ name, reason }) => [name, reason]))
  return (
    <ul className={styles.files} aria-label="Added traces">
      {files.map((file, at) => (
        <li key={`${file.name} ${at}`} className={styles.file} data-bad={bad.has(file.name) || undefined}>
          <span title={bad.get(file.name)}>
            {file.name}
            {bad.has(file.name) ? `: ${bad.get(file.name)}` : ''}
          </span>
          <IconButton size="s" label={`Remove ${file.name}`} noTooltip onPress={() => onDrop(file)}>
            ×
          </IconButton>
        </li>
      ))}
    </ul>
  )
}

function AddFiles({ onAdd }: { readonly onAdd: (files: readonly File[]) => void }) {
  const input = useRef<HTMLInputElement>(null)
  return (
    <>
      <Button size="s" icon={<FilePlus2 size={13} aria-hidden />} onPress={() => input.current?.click()}>
        Add traces
      </Button>
      <input
        ref={input}
        type="file"
        hidden
        multiple
        aria-label="Traces to add"
        onChange={event => {
          const files = [...(event.target.files ?? [])]
          event.target.value = ''
          if (files.length > 0) onAdd(files)
        }}
      />
    </>
  )
}

/** Exports coverage as JSON, in the format of the command line, or as text. */
function CoverageExport({ report }: { readonly report: CoverageReport }) {
  const save = (text: string, type: string, name: string) => saveAs(new Blob([text], { type }), name)
  const actions = [
    {
      id: 'json',
      title: 'JSON, as chartroom coverage --json',
      run: () => save(`${JSON.stringify(report)}\n`, 'application/json', 'coverage.json'),
    },
    {
      id: 'text',
      title: 'Text with missing parts',
      run: () => save(coverageAsText(report), 'text/plain', 'coverage.txt'),
    },
    { id: 'copy', title: 'Copy text', run: () => copyText(coverageAsText(report), 'Coverage') },
  ]
  return (
    <MenuButton text="Export" icon={<Download size={13} aria-hidden />}>
      <ActionMenu label="Export coverage" actions={actions} />
    </MenuButton>
  )
}

/** Maximum events of a trace that is counted automatically. */
const UNASKED = 200_000
/** Maximum events of a trace that is recounted as it grows. */
const RENEWED = 20_000
/** Milliseconds between two counts: frequent enough for a viewer, rare enough to cost little. */
const RENEW_EVERY = 4_000

function useCoverage() {
  const { trace, size, checks } = useConsole()
  const { fileName, runner } = checks
  const { state, start, cancel } = useJob('cover')
  const [files, setFiles] = useState(runner.added)
  const begin = useCallback(() => {
    start(blob => ({
      files: [{ name: fileName, blob }, ...runner.added.map(file => ({ name: file.name, blob: file }))],
    }))
  }, [start, runner, fileName])
  const { phase, last } = state
  const isReady = trace.share() >= 1 && size > 0 && size <= UNASKED
  const isFirst = isReady && phase === 'none' && last === undefined
  useEffect(() => {
    if (isFirst) begin()
  }, [isFirst, begin])
  const isStale = phase !== 'going' && last !== undefined && last.size !== size
  const isRenewed = isStale && size <= RENEWED && phase === 'done'
  useTimeout(begin, isRenewed ? RENEW_EVERY : undefined, begin)
  const change = (next: readonly File[]) => {
    runner.setAdded(next)
    setFiles(next)
    begin()
  }
  return {
    state,
    answer: last?.answer,
    files,
    cancel,
    /** Whether the user must start a recount. */
    isStale: isStale && !isRenewed,
    count: begin,
    add: (more: readonly File[]) => change([...files, ...more]),
    drop: (file: File) => change(files.filter(one => one !== file)),
  }
}
