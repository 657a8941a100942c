// The form that creates a test: name, machines to assert, and the resulting test file.
import { useState } from 'react'
import { Checkbox, CheckboxGroup, Label } from 'react-aria-components'
import { Button } from '../../widgets/button.tsx'
import { TextField } from '../../widgets/field.tsx'
import { Form } from '../../widgets/form.tsx'
import { plural } from '../text.ts'
import { useConsole } from '../use-console.ts'
import { CodeResult } from './results.tsx'
import type { Answer } from './jobs.ts'
import { useJob, JobResult, TraceSaveLine, useTraceSave, JobStatus } from './use-job.tsx'
import styles from './checks.module.css'
import {
  type ActorEntry,
  isVariableName,
  jsImport,
  type NamedImport,
  ownSystem,
} from '../../../trace/index.ts'

/** Maximum machines listed by name; tests that assert more are hard to read. */
const OFFERED = 14

export function TestForm() {
  const { timeline, header } = useConsole()
  const trace = useTraceSave()
  const { state, start, cancel } = useJob('test')
  const [title, setTitle] = useState('')
  const [path, setPath] = useState('./machines.ts')
  const paths = machinePaths(timeline.actors)
  const offered = paths.slice(0, OFFERED)
  const [left, leave] = useState<readonly string[]>([])
  const chosen = offered.filter(one => !left.includes(one))
  const isAll = chosen.length === offered.length
  const system = systemImport(header.system, path)
  const isOwn = system.name.startsWith('systems[')
  const name = fileNameOf(title, header.system)
  const recording = `${name}.trace.gz`
  const answer = state.phase === 'done' ? state.last.answer : undefined
  const write = () =>
    start(blob => ({ file: blob, title, system, recording, ...(!isAll && { only: chosen }) }))
  return (
    <Form
      className={styles.form}
      aria-label="Create test"
      onSubmit={() => {
        write()
      }}
    >
      <p className={styles.faint}>
        Creates a Vitest test that sends the recorded events, simulates effect results, advances time, and
        asserts states along the way. A long one plays the recording, which is saved next to it.
      </p>
      <TextField
        label="Test name"
        placeholder="The session survives an outage"
        value={title}
        onChange={setTitle}
      />
      {isOwn ? null : <TextField label="Machine module" mono value={path} onChange={setPath} />}
      <CheckboxGroup
        value={[...chosen]}
        onChange={now => leave(offered.filter(one => !now.includes(one)))}
        className={styles.boxes ?? ''}
      >
        <Label className={styles.label ?? ''}>Assert states of</Label>
        {offered.map(one => (
          <Checkbox key={one} value={one} className={styles.box ?? ''}>
            <span className={styles.tick} aria-hidden />
            <code>{one}</code>
          </Checkbox>
        ))}
      </CheckboxGroup>
      {paths.length > offered.length ? (
        <p className={styles.faint}>
          {isAll ? 'Includes' : 'Excludes'} {plural(paths.length - offered.length, 'other machine')}.
        </p>
      ) : null}
      <span className={styles.tools}>
        <Button size="s" variant="primary" type="submit" isPending={state.phase === 'going'}>
          Create test
        </Button>
        <Button size="s" onPress={() => trace.save(recording)} isPending={trace.state.phase === 'going'}>
          Save trace
        </Button>
      </span>
      <TraceSaveLine state={trace.state} />
      <JobResult of={state}>
        <JobStatus
          doing="Writing"
          job={{ state, cancel }}
          failed="This run cannot be written as a test: "
          done={answer && `Test created, ${plural(answer.text.split('\n').length, 'line')}${said(answer)}`}
        />
        {answer ? (
          <>
            {answer.problem === undefined ? null : (
              <p className={styles.warning}>This test will fail: {answer.problem}.</p>
            )}
            {answer.recording === undefined ? null : (
              <p className={styles.faint}>
                This test plays <code>{answer.recording}</code>: save the trace in the same folder.
              </p>
            )}
            <CodeResult text={answer.text} label="test" name={`${name}.test.ts`} />
          </>
        ) : null}
      </JobResult>
    </Form>
  )
}

/** What the announcement adds to the number of lines. */
const said = ({ problem, recording }: Answer<'test'>): string =>
  problem !== undefined
    ? `. It will fail: ${problem}`
    : recording === undefined
      ? ''
      : `. It plays ${recording}: save the trace in the same folder`

/** Machines that a test may assert: each path once, however often it was started; outermost first. */
export function machinePaths(actors: readonly ActorEntry[]): readonly string[] {
  const paths = actors
    .filter(({ kind }) => kind === 'machine')
    .map(({ path }) => path.replace(/#\d+(?=\/|$)/g, ''))
  const depth = (path: string) => path.split('/').length
  return [...new Set(paths)].sort((a, b) => depth(a) - depth(b))
}

/** Chartroom's own systems are imported from the package; others from the user's module. */
export function systemImport(system: string, path: string): NamedImport {
  return /^chartroom(?:\/|$)/.test(system) ? ownSystem(system) : jsImport(nameOf(system), path)
}

/** Converts `shop/till-two` to `tillTwo`. */
function nameOf(system: string): string {
  const last = system.slice(system.lastIndexOf('/') + 1)
  const name = last.replace(
    /[^A-Za-z0-9_$]+(.)?/g,
    (_, next: string | undefined) => next?.toUpperCase() ?? '',
  )
  return isVariableName(name) ? name : 'machine'
}

/** Converts a title to a file name. */
export function fileNameOf(title: string, system: string): string {
  const text = (title.trim() === '' ? system : title)
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
  return text === '' ? 'trace' : text.slice(0, 60)
}
