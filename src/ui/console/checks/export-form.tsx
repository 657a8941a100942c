// The export form: the run in formats that other tools open, each with its use.
import { useState } from 'react'
import { Label, Radio, RadioGroup } from 'react-aria-components'
import { Button } from '../../widgets/button.tsx'
import { saveAs } from '../../widgets/save-as.ts'
import { Select } from '../../widgets/select.tsx'
import { useConsole } from '../use-console.ts'
import { EXPORTS, exportName, type ExportKind, type ExportShape } from './export-kinds.ts'
import { JobFailure, JobLine } from './job-line.tsx'
import { useChecksContext } from './checks-context.ts'
import styles from './checks.module.css'
import { TraceSaveLine, useTraceSave } from './trace-save.tsx'
import { useJob, type Job } from './use-job.ts'
import { PartChoice, usePart } from './use-part.tsx'
import { formatSize } from '../../../machines/index.ts'

export function ExportForm() {
  const { header } = useConsole()
  const { fileName } = useChecksContext()
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
        <Button size="s" variant="primary" onPress={write} isDisabled={isGoing}>
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

function ExportLine({ job: { state, cancel } }: { readonly job: Job<'export'> }) {
  if (state.phase === 'going') return <JobLine doing="Writing" progress={state.progress} onCancel={cancel} />
  if (state.phase === 'failed') return <JobFailure message={state.message} />
  const blob = state.phase === 'done' ? state.answer.blob : undefined
  return (
    <span role="status" className={styles.faint}>
      {blob ? `Saved, ${formatSize(blob.size)}` : ''}
    </span>
  )
}
