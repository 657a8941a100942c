// The import dialog: choose a file, map its columns, and track the import.
import { useEffect } from 'react'
import { Dialog } from '../../../widgets/dialog.tsx'
import { Button } from '../../../widgets/button.tsx'
import { Progress } from '../../../widgets/progress.tsx'
import { Notice } from '../../shell/page.tsx'
import type { ReadRows, TableToolsProps } from '../../../../services/workbench/table/index.ts'
import { isOver, useJob, useJobs, type ImportJob } from '../jobs.ts'
import { ChooseStep } from './choose-step.tsx'
import { MapStep, type MapState } from './map-step.tsx'
import { RunStep } from './run-step.tsx'
import { useImport } from './use-import.ts'
import { useStartImport } from './use-start-import.ts'

export interface ImportDialogProps extends Pick<TableToolsProps, 'query' | 'info' | 'reload'> {
  readonly onClose: () => void
}

/** Shows imported rows when the import ends. */
const useReloadAfter = (running: ImportJob | undefined, reload: () => void) => {
  useEffect(() => {
    if (running === undefined) return
    let wasOver = isOver(running.job.state().phase)
    return running.job.subscribe(() => {
      const over = isOver(running.job.state().phase)
      if (over && !wasOver) reload()
      wasOver = over
    })
  }, [running, reload])
}

export function ImportDialog({ query, info, reload, onClose }: ImportDialogProps) {
  const { importing } = useJobs()
  const running = useJob(importing)
  const { state, dispatch, pasted, setPasted } = useImport(query, info)
  const [start, failure] = useStartImport()
  useReloadAfter(running, reload)
  const begin = async (read: ReadRows, { source, mapping, choices }: MapState) => {
    const keys = info.columns.filter(({ name, isKey }) => isKey && mapping.includes(name))
    const names = keys.map(({ name }) => name)
    if (!(await start({ query, keys: names, read, source, mapping, choices }))) return
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
          onStart={read => void begin(read, state)}
        />
      ) : null}
      {failure === undefined ? null : <Notice tone="fail">{failure}</Notice>}
    </Dialog>
  )
}
