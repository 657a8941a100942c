// Create test: a name, whose states are expected, and the file of a test that can be run and changed.
import { useState } from 'react'
import { Checkbox, CheckboxGroup, Label } from 'react-aria-components'
import { Button } from '../../widgets/button.tsx'
import { TextField } from '../../widgets/field.tsx'
import { Form } from '../../widgets/form.tsx'
import { plural } from '../text.ts'
import { useConsole } from '../use-console.ts'
import { CodeResult } from './code-result.tsx'
import { JobFailure, JobLine } from './job-line.tsx'
import styles from './judge.module.css'
import { fileNameOf, machinePaths, systemImport } from './test-parts.ts'
import { TraceSaveLine, useTraceSave } from './trace-save.tsx'
import { useJob } from './use-job.ts'

/** Machines that are offered by name; a test that speaks of more is hard to read. */
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
  const write = () => start(blob => ({ file: blob, title, system, ...(!isAll && { only: chosen }) }))
  return (
    <Form
      className={styles.form}
      aria-label="Create test"
      onSubmit={() => {
        write()
      }}
    >
      <p className={styles.faint}>
        A test for Vitest that sends what was sent, answers for the effects, lets time pass, and expects the
        states on the way.
      </p>
      <TextField
        label="What it shows"
        placeholder="The session outlives a squall"
        value={title}
        onChange={setTitle}
      />
      {isOwn ? null : <TextField label="Module with the machine" mono value={path} onChange={setPath} />}
      <CheckboxGroup
        value={[...chosen]}
        onChange={now => leave(offered.filter(one => !now.includes(one)))}
        className={styles.boxes ?? ''}
      >
        <Label className={styles.label ?? ''}>Expects the states of</Label>
        {offered.map(one => (
          <Checkbox key={one} value={one} className={styles.box ?? ''}>
            <span className={styles.tick} aria-hidden />
            <code>{one}</code>
          </Checkbox>
        ))}
      </CheckboxGroup>
      {paths.length > offered.length ? (
        <p className={styles.faint}>
          {isAll ? 'And of' : 'Not of'} {plural(paths.length - offered.length, 'other machine')}.
        </p>
      ) : null}
      <span className={styles.tools}>
        <Button size="s" variant="primary" type="submit" isDisabled={state.phase === 'going'}>
          Write the test
        </Button>
        <Button
          size="s"
          onPress={() => trace.save(`${name}.trace.gz`)}
          isDisabled={trace.state.phase === 'going'}
        >
          Save the trace beside it
        </Button>
      </span>
      <TraceSaveLine state={trace.state} />
      {state.phase === 'going' ? (
        <JobLine doing="Writing" progress={state.progress} onCancel={cancel} />
      ) : null}
      {state.phase === 'failed' ? (
        <JobFailure message={`No test can say this run: ${state.message}`} />
      ) : null}
      {state.phase === 'done' ? (
        <>
          {state.answer.problem === undefined ? null : (
            <p role="status" className={styles.warning}>
              It will fail as it is: {state.answer.problem}.
            </p>
          )}
          <CodeResult text={state.answer.text} label="the test" name={`${name}.test.ts`} />
        </>
      ) : null}
    </Form>
  )
}
