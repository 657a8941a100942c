// The Export tab: saves a run as a test, as steps, or as a file for another tool.
import { useState } from 'react'
import { Tab, TabList, TabPanel, Tabs, Label, Radio, RadioGroup } from 'react-aria-components'
import styles from './checks.module.css'
import { TestForm } from './test-form.tsx'
import { ListOrdered } from 'lucide-react'
import { Button } from '../../widgets/button.tsx'
import { EmptyState } from '../../widgets/state.tsx'
import { useConsole } from '../use-console.ts'
import { CodeResult, StepList } from './results.tsx'
import {
  JobNews,
  JobResult,
  JobStatus,
  type TraceJob,
  TraceSaveLine,
  useJob,
  useTraceSave,
} from './use-job.tsx'
import { stepsAsText } from './described-steps.ts'
import { CopyButton } from '../../widgets/copy-button.tsx'
import { saveAs } from '../../widgets/save-as.ts'
import { Select } from '../../widgets/select.tsx'
import type { ExportFormat } from '../../../trace/index.ts'
import { clockTime, plural } from '../text.ts'
import type { Part } from './jobs.ts'
import { formatSize } from '../../../services/workbench/text/index.ts'

const FORMS = [
  { id: 'test', title: 'Test', Form: TestForm },
  { id: 'steps', title: 'Steps', Form: StepsForm },
  { id: 'export', title: 'File', Form: ExportForm },
] as const

export function ExportTab() {
  const [form, setForm] = useState<string>('test')
  return (
    <Tabs
      orientation="vertical"
      selectedKey={form}
      onSelectionChange={key => setForm(String(key))}
      className={styles.keep ?? ''}
    >
      <TabList aria-label="Export as" className={styles.keepList ?? ''}>
        {FORMS.map(({ id, title }) => (
          <Tab key={id} id={id} className={styles.keepTab ?? ''}>
            {title}
          </Tab>
        ))}
      </TabList>
      {FORMS.map(({ id, Form }) => (
        <TabPanel key={id} id={id} className={styles.keepPanel ?? ''}>
          <Form />
        </TabPanel>
      ))}
    </Tabs>
  )
}

/** The steps form: shows a run as readable steps and as code, both to copy. */
function StepsForm() {
  const { pick } = useConsole()
  const { state, start, cancel } = useJob('steps')
  const part = usePart()
  const notify = () => start(file => ({ file, part: part.get() }))
  const answer = state.phase === 'done' ? state.last.answer : undefined
  return (
    <div className={styles.form}>
      <p className={styles.faint}>
        Inputs in order, with the time between them and the machines whose state changed.
      </p>
      <PartChoice part={part} />
      <span className={styles.tools}>
        <Button size="s" variant="primary" onPress={notify} isPending={state.phase === 'going'}>
          Show steps
        </Button>
        {answer && answer.steps.length > 0 ? (
          <CopyButton text={stepsAsText(answer.steps, answer.more)} label="Copy steps" />
        ) : null}
      </span>
      <JobResult of={state}>
        <JobStatus
          doing="Writing"
          job={{ state, cancel }}
          done={answer && (answer.steps.length === 0 ? 'No steps' : plural(answer.steps.length, 'step'))}
        />
        {answer?.steps.length === 0 ? (
          <EmptyState icon={<ListOrdered size={20} aria-hidden />} title="No steps">
            The inputs of this part or recording are unknown: other apps report only what their machines did.
          </EmptyState>
        ) : null}
        {answer && answer.steps.length > 0 ? (
          <>
            <StepList steps={answer.steps} more={answer.more} onPick={pick} />
            {answer.code === '' ? null : <CodeResult text={answer.code} label="steps as code" />}
          </>
        ) : null}
      </JobResult>
    </div>
  )
}

export function ExportForm() {
  const { header, checks } = useConsole()
  const { fileName } = checks
  const trace = useTraceSave()
  const job = useJob('export')
  const [kind, setKind] = useState<ExportKind>('perfetto')
  const machines = Object.keys(header.machines).sort()
  const [machine, setMachine] = useState<string>()
  const part = usePart()
  const chosen: ExportShape = EXPORTS.find(({ id }) => id === kind) ?? EXPORTS[0]
  const named = machine ?? machines[0]
  const of = chosen.isOfMachine ? named : undefined
  const name = exportName(chosen, fileName, of)
  const write = () => {
    const { format } = chosen
    if (!format) return trace.save(fileName)
    const ask = (whole: Blob) => ({
      file: whole,
      format,
      diagram: chosen.isOfMachine ? ('state' as const) : ('sequence' as const),
      ...(of !== undefined && { machine: of }),
      part: chosen.isOfMachine ? ({ kind: 'all' } as const) : part.get(),
    })
    job.start(ask, answer => saveAs(answer.blob, name))
  }
  const isGoing = (chosen.format ? job : trace).state.phase === 'going'
  return (
    <div className={styles.form}>
      <RadioGroup value={kind} onChange={id => setKind(id as ExportKind)} className={styles.boxes ?? ''}>
        <Label className={styles.label ?? ''}>Format</Label>
        {EXPORTS.map(({ id, title, use }) => (
          <Radio key={id} value={id} className={styles.radio ?? ''}>
            <span className={styles.dot} aria-hidden />
            <span>
              {title} <span className={styles.faint}>{use}</span>
            </span>
          </Radio>
        ))}
      </RadioGroup>
      {chosen.isOfMachine ? (
        <Select
          label="Machine"
          options={machines.map(id => ({ id, label: id }))}
          value={named ?? null}
          onChange={setMachine}
        />
      ) : chosen.format ? (
        <PartChoice part={part} />
      ) : null}
      <span className={styles.tools}>
        <Button size="s" variant="primary" onPress={write} isPending={isGoing}>
          {`Save ${name}`}
        </Button>
      </span>
      {chosen.format ? <ExportLine job={job} /> : <TraceSaveLine state={trace.state} />}
      <p className={styles.faint}>
        Secrets were removed when the run was recorded, so no export contains them.
      </p>
    </div>
  )
}

function ExportLine({ job: { state, cancel } }: { readonly job: TraceJob<'export'> }) {
  const blob = state.phase === 'done' ? state.last.answer.blob : undefined
  return (
    <JobResult of={state}>
      <JobStatus doing="Writing" job={{ state, cancel }} />
      <JobNews state={state} text={blob && `Saved, ${formatSize(blob.size)}`} isShown />
    </JobResult>
  )
}

interface ExportShape {
  readonly id: string
  /** Undefined for the trace itself. */
  readonly format?: ExportFormat
  readonly title: string
  /** What it is used for. */
  readonly use: string
  /** The file's extension. */
  readonly ending: string
  /** Whether it exports one machine instead of the run. */
  readonly isOfMachine: boolean
}

export const EXPORTS = [
  {
    id: 'perfetto',
    format: 'perfetto',
    title: 'Perfetto',
    use: 'a timeline for ui.perfetto.dev and the performance panel of browsers',
    ending: 'perfetto.json',
    isOfMachine: false,
  },
  {
    id: 'har',
    format: 'har',
    title: 'HAR 1.2',
    use: 'requests and sockets of a Chartroom client for network panels and proxies',
    ending: 'har',
    isOfMachine: false,
  },
  {
    id: 'otlp',
    format: 'otlp',
    title: 'OpenTelemetry',
    use: 'spans and log records as OTLP in JSON, for collectors and tracing backends',
    ending: 'otlp.jsonl',
    isOfMachine: false,
  },
  {
    id: 'sequence',
    format: 'mermaid',
    title: 'Mermaid (run)',
    use: 'a sequence diagram for READMEs and issues; the first 250 events',
    ending: 'sequence.mmd',
    isOfMachine: false,
  },
  {
    id: 'state',
    format: 'mermaid',
    title: 'Mermaid (machine)',
    use: 'a state diagram for READMEs and issues',
    ending: 'mmd',
    isOfMachine: true,
  },
  {
    id: 'scxml',
    format: 'scxml',
    title: 'SCXML',
    use: 'a machine as W3C SCXML for other statechart tools',
    ending: 'scxml',
    isOfMachine: true,
  },
  {
    id: 'trace',
    title: 'Trace file',
    use: 'everything; can be opened here, replayed, and checked in CI',
    ending: 'trace.gz',
    isOfMachine: false,
  },
] as const satisfies readonly ExportShape[]

type ExportKind = (typeof EXPORTS)[number]['id']

/** Returns the name of the exported file. */
export function exportName(form: ExportShape, fileName: string, machine: string | undefined): string {
  if (!form.format) return fileName
  const base = fileName.replace(/(?:\.trace)?(?:\.jsonl)?(?:\.gz)?$/, '')
  return `${machine === undefined ? base : machine.replace(/[^\w.-]+/g, '-')}.${form.ending}`
}

type PartKind = Part['kind']

/** Returns the choice and its part. Choices equal to the whole trace are not offered. */
function usePart() {
  const { place, filter, size } = useConsole()
  const [chosen, choose] = useState<PartKind>('all')
  const { range } = place
  const options: readonly { readonly id: PartKind; readonly label: string }[] = [
    { id: 'all', label: `Everything, ${plural(size, 'event')}` },
    ...(range
      ? [{ id: 'range', label: `Selected range, ${clockTime(range[0])} to ${clockTime(range[1])}` } as const]
      : []),
    ...(filter.filtering
      ? [{ id: 'steps', label: `Query matches, ${plural(filter.length, 'event')}` } as const]
      : []),
  ]
  const kind = options.some(({ id }) => id === chosen) ? chosen : 'all'
  const get = (): Part => {
    if (kind === 'range' && range) return { kind, from: range[0], until: range[1] }
    if (kind !== 'steps') return { kind: 'all' }
    return { kind, seqs: Uint32Array.from({ length: filter.length }, (_, at) => filter.seqAt(at)) }
  }
  return { options, kind, choose, get }
}

/** Renders nothing if there is only one choice. */
function PartChoice({ part }: { readonly part: ReturnType<typeof usePart> }) {
  if (part.options.length < 2) return null
  return <Select label="Scope" options={part.options} value={part.kind} onChange={part.choose} />
}
