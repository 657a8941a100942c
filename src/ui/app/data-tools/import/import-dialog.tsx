// The import dialog: choose a file, map its columns, and track the import.
import { useEffect } from 'react'
import { Dialog } from '../../../widgets/dialog.tsx'
import { Button } from '../../../widgets/button.tsx'
import { Progress } from '../../../widgets/progress.tsx'
import {
  type ReadRows,
  type TableToolsProps,
  type ImportChoices,
  type Mapping,
  type Source,
  type TableQuery,
  type FileChoice,
  pastedFile,
  undoBlockOf,
} from '../../../../services/workbench/table/index.ts'
import { createRowImport } from '../../../../services/workbench/jobs/index.ts'
import { useJob, useJobs, type ImportJob } from '../jobs.ts'
import { MapStep, type MapState } from './map-step.tsx'
import { RunStep } from './run-step.tsx'
import { useImport } from './use-import.ts'
import { useClient } from '../../../react/index.ts'
import { fetchOfUser } from '../../../../services/workbench/storage/index.ts'
import { workRecordings } from '../../work-recordings.ts'
import { FileUp } from 'lucide-react'
import { DropZone, FileTrigger, Text, type DropZoneProps } from 'react-aria-components'
import { cx } from '../../../widgets/cx.ts'
import { TextArea } from '../../../widgets/text-area.tsx'
import { Notice } from '../../shell/page.tsx'
import styles from '../tools.module.css'

export interface ImportDialogProps extends Pick<TableToolsProps, 'query' | 'info' | 'reload' | 'importUndo'> {
  readonly onClose: () => void
}

/** Shows imported rows when the import ends. */
const useReloadAfter = (running: ImportJob | undefined, reload: TableToolsProps['reload']) => {
  useEffect(() => {
    if (running === undefined) return
    const { actor } = running.job
    if (actor.getSnapshot().status !== 'active') return
    const subscription = actor.subscribe({ complete: () => reload({ kind: 'import' }) })
    return () => subscription.unsubscribe()
  }, [running, reload])
}

export function ImportDialog({ query, info, reload, importUndo, onClose }: ImportDialogProps) {
  const { importing } = useJobs()
  const running = useJob(importing)
  const { state, dispatch, pasted, setPasted } = useImport(query, info)
  const start = useStartImport()
  useReloadAfter(running, reload)
  const begin = (read: ReadRows, { source, mapping, choices }: MapState) => {
    const keys = info.columns.filter(({ name, isKey }) => isKey && mapping.includes(name))
    const names = keys.map(({ name }) => name)
    start({ query, info, keys: names, read, source, mapping, choices, importUndo })
    // The import now owns the rows: do not offer them again.
    dispatch({ type: 'left' })
    setPasted('')
  }
  const title = `Import rows into ${running?.table ?? query.table}`
  return (
    <Dialog title={title} isOpen onClose={onClose} huge>
      {running ? (
        <RunStep running={running} onNext={() => importing.set(undefined)} onClose={onClose} />
      ) : null}
      {!running && state.step === 'choose' ? (
        <ChooseStep
          failure={state.failure}
          pasted={pasted}
          onPaste={setPasted}
          onFile={file => dispatch({ type: 'file.chosen', file })}
        />
      ) : null}
      {!running && state.step === 'reading' ? (
        <>
          <Progress
            label={`Reading ${state.file.name}`}
            share={state.share}
            text={`${Math.round(100 * state.share)} %`}
          />
          <Button onPress={() => dispatch({ type: 'left' })}>Cancel</Button>
        </>
      ) : null}
      {!running && state.step === 'map' ? (
        <MapStep
          state={state}
          info={info}
          dispatch={dispatch}
          hindrance={undefined}
          onStart={read => begin(read, state)}
        />
      ) : null}
    </Dialog>
  )
}

interface StartImport extends Pick<TableToolsProps, 'info' | 'importUndo'> {
  readonly query: Pick<TableQuery, 'schema' | 'table'>
  readonly keys: readonly string[]
  readonly source: Source
  readonly mapping: Mapping
  readonly choices: ImportChoices
  readonly read: ReadRows
}

/** Starts an import; rows are converted to JSON text. */
function useStartImport() {
  const client = useClient()
  const jobs = useJobs()
  return ({ query, info, keys, source, mapping, choices, read, importUndo }: StartImport) => {
    const onDuplicate = keys.length === 0 ? 'refuse' : choices.onDuplicate
    const undoBlock = undoBlockOf(info, onDuplicate)
    const undo = undoBlock === undefined ? importUndo() : undefined
    const job = createRowImport({
      fetch: fetchOfUser(client),
      schema: query.schema,
      table: query.table,
      columns: mapping.filter(name => name !== null),
      rows: read.ready.map(({ values }) => JSON.stringify(values)),
      isWhole: choices.isWhole,
      onDuplicate,
      keys,
      returning: undo?.returning,
    })
    let run: (() => void) | undefined
    job.actor.subscribe(({ status }) => {
      if (status === 'done') run = undo?.onEnded(job.addedRows())
    })
    workRecordings(client).add(`Import into ${query.table}`, job)
    jobs.importing.set({ table: query.table, source, read, job, undoBlock, undo: () => run })
  }
}

interface ChooseStepProps {
  readonly failure: string | undefined
  readonly pasted: string
  readonly onPaste: (text: string) => void
  readonly onFile: (file: FileChoice) => void
}

const choiceOf = (file: File): FileChoice => ({
  name: file.name,
  bytes: file.size,
  stream: () => file.stream(),
})

/** Takes one file; nothing is sent yet. */
function ChooseStep({ failure, pasted, onPaste, onFile }: ChooseStepProps) {
  const drop = async ({ items }: Parameters<NonNullable<DropZoneProps['onDrop']>>[0]) => {
    const item = items.find(each => each.kind === 'file')
    if (item?.kind === 'file') onFile(choiceOf(await item.getFile()))
  }
  return (
    <>
      {failure === undefined ? null : <Notice tone="fail">{failure}</Notice>}
      <DropZone
        className={cx(styles.drop)}
        getDropOperation={() => 'copy'}
        onDrop={event => void drop(event)}
      >
        <FileUp size={22} aria-hidden />
        <Text slot="label">Drop a CSV or JSON file here</Text>
        <FileTrigger
          acceptedFileTypes={['.csv', '.tsv', '.tab', '.txt', '.json', '.ndjson', '.jsonl']}
          onSelect={files => {
            const file = files?.[0]
            if (file) onFile(choiceOf(file))
          }}
        >
          <Button variant="primary">Choose a file</Button>
        </FileTrigger>
        <span className={styles.faint}>
          CSV (comma, semicolon or tab), JSON or NDJSON. Nothing is uploaded yet.
        </span>
      </DropZone>
      <div className={styles.paste}>
        <TextArea
          label="Or paste rows"
          rows={5}
          mono
          value={pasted}
          onChange={onPaste}
          placeholder="From a spreadsheet, a CSV file, or JSON"
          spellCheck="false"
        />
        <Button isDisabled={pasted.trim() === ''} onPress={() => onFile(pastedFile(pasted))}>
          Read pasted rows
        </Button>
      </div>
    </>
  )
}
