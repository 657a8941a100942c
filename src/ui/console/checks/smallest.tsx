// The shortest run that still fails a check: searched in a worker, shown as steps, saved as a file.
import { Scissors } from 'lucide-react'
import { useState } from 'react'
import type { AssertionResult } from '../../../trace/index.ts'
import { Button } from '../../widgets/button.tsx'
import { Dialog, DialogActions } from '../../widgets/dialog.tsx'
import { saveAs } from '../../widgets/save-as.ts'
import { plural } from '../text.ts'
import { JobFailure, JobResult, useJob, JobStatus } from './use-job.tsx'
import { useChecks, useConsole } from '../use-console.ts'
import { searchedFor, type Minimized } from './jobs.ts'
import styles from './checks.module.css'
import { StepList } from './results.tsx'

export interface SmallestProps {
  /** The selected assertion. */
  readonly name: string | undefined
  readonly results: readonly AssertionResult[]
}

/** Shown if a check has failed. */
export function Smallest({ name, results }: SmallestProps) {
  const [isOpen, setOpen] = useState(false)
  const broken = results.filter(one => one.failed > 0 && (name === undefined || one.name === name))
  if (broken.length === 0) return null
  return (
    <>
      <Button size="s" icon={<Scissors size={13} aria-hidden />} onPress={() => setOpen(true)}>
        Shortest run…
      </Button>
      <Dialog title="Shortest run that still fails" isOpen={isOpen} onClose={() => setOpen(false)} wide>
        <Search fails={broken.map(one => one.name)} onClose={() => setOpen(false)} />
      </Dialog>
    </>
  )
}

function Search({ fails, onClose }: { readonly fails: readonly string[]; readonly onClose: () => void }) {
  const { machine, checks } = useConsole()
  const own = useChecks(all => all.own)
  const { state, start, stop, cancel } = useJob('minimize')
  const begin = () => start(file => ({ file, assertions: own.assertions, fails }))
  const answer = searchedFor(state.phase === 'done' ? state.last.answer : undefined, fails)
  const made = answer?.outcome === 'minimized' ? answer : undefined
  const name = checks.fileName.replace(/(?:\.trace)?(?:\.jsonl)?(?:\.gz)?$/, '-shortest.trace.gz')
  return (
    <>
      <p>
        Replays this run with fewer and fewer inputs to find a minimal run in which <q>{fails.join(', ')}</q>{' '}
        {fails.length === 1 ? 'fails' : 'fail'}.
      </p>
      <JobResult of={state}>
        <JobStatus doing="Minimizing" job={{ state, cancel, stop }} done={answer && minimizedText(answer)} />
        {answer ? <Outcome answer={answer} /> : null}
      </JobResult>
      <DialogActions>
        {made ? (
          <>
            <Button variant="quiet" onPress={begin}>
              Search again
            </Button>
            <Button onPress={() => saveAs(made.file, name)}>Save</Button>
            <Button
              variant="primary"
              onPress={() => {
                machine.open(new File([made.file], name))
                onClose()
              }}
            >
              Open
            </Button>
          </>
        ) : (
          <Button variant="primary" onPress={begin} isPending={state.phase === 'going'}>
            Search
          </Button>
        )}
      </DialogActions>
    </>
  )
}

const FINE = 'It does not fail when this trace is replayed with the current machines.'

/** Returns no text for what is announced as an error. */
function minimizedText(answer: Minimized): string | undefined {
  if (answer.outcome === 'unusable') return undefined
  if (answer.outcome === 'fine') return FINE
  const { kept, of, isOneMinimal } = answer
  return `${kept} of ${plural(of, 'input')}, ${isOneMinimal ? 'minimal' : 'stopped early'}`
}

function Outcome({ answer }: { readonly answer: Minimized }) {
  if (answer.outcome === 'unusable') return <JobFailure message={answer.reason} />
  if (answer.outcome === 'fine') return <p>{FINE}</p>
  const { kept, of, tried, isOneMinimal, steps } = answer
  return (
    <>
      <p>
        <strong>
          {kept} of {plural(of, 'input')}
        </strong>{' '}
        <span className={styles.faint}>
          {isOneMinimal ? 'minimal' : 'stopped early'} · {plural(tried, 'run')}
        </span>
      </p>
      <div className={styles.boxed}>
        <StepList steps={steps} more={0} />
      </div>
    </>
  )
}
