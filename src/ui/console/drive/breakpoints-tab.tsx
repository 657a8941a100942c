// Breakpoints with their hit counts, and the form for a new one.
import { Trash2 } from 'lucide-react'
import type { Breakpoint, BreakOn } from '../../../services/control/index.ts'
import { Button, ToolButton } from '../../widgets/button.tsx'
import { Kbd } from '../../widgets/kbd.tsx'
import styles from './drive.module.css'
import type { Drive, DrivePlace } from './use-drive.ts'
import { useState } from 'react'
import { TextField } from '../../widgets/field.tsx'
import { TextArea } from '../../widgets/text-area.tsx'
import { Select } from '../../widgets/select.tsx'
import { Form } from '../../widgets/form.tsx'
import { messageOf } from '../text.ts'
import {
  type ActorEntry,
  type ChartState,
  leafPaths,
  type MachineChart,
  readAssertions,
  type StateValue,
  type StepRecord,
} from '../../../trace/index.ts'
import { parsed } from './payload.ts'

export function BreakpointsTab({ drive, place }: { readonly drive: Drive; readonly place: DrivePlace }) {
  const { breakpoints } = drive.state
  return (
    <div className={styles.pane}>
      {breakpoints.length === 0 ? (
        <p className={styles.faint}>
          No breakpoints. Select an event in the log and press <Kbd>B</Kbd> to pause the system whenever it
          gets there again.
        </p>
      ) : (
        <ul className={styles.list} aria-label="Breakpoints">
          {breakpoints.map(breakpoint => (
            <Line key={breakpoint.id} breakpoint={breakpoint} drive={drive} />
          ))}
        </ul>
      )}
      <BreakpointForm drive={drive} place={place} />
    </div>
  )
}

function Line({ breakpoint, drive }: { readonly breakpoint: Breakpoint; readonly drive: Drive }) {
  const { id, isOn, text, hits, from } = breakpoint
  const { control, state } = drive
  const isHolding = state.hold?.breakpoint === id
  return (
    <li className={styles.row} data-holding={isHolding || undefined}>
      <label className={styles.check}>
        <input
          type="checkbox"
          checked={isOn}
          onChange={event => control.changeBreakpoint(id, { isOn: event.target.checked })}
        />
        <span className={styles.breakText}>{text}</span>
      </label>
      <span className={styles.time}>
        {isHolding ? 'paused · ' : ''}
        {hits}×
      </span>
      <label className={styles.from}>
        from hit
        <input
          type="number"
          min={1}
          value={from}
          aria-label={`Pause from nth hit: ${text}`}
          onChange={event =>
            control.changeBreakpoint(id, { from: Math.max(1, Number(event.target.value) || 1) })
          }
        />
      </label>
      <ToolButton icon={Trash2} label={`Remove: ${text}`} onPress={() => control.removeBreakpoint(id)} />
    </li>
  )
}

const KINDS = [
  { id: 'state', label: 'a state is entered' },
  { id: 'transition', label: 'a transition is taken' },
  { id: 'event', label: 'an event arrives' },
  { id: 'assertion', label: 'an assertion fails' },
]

const EXAMPLE = '{ "never": { "state": "failed" } }'

/** The form for a new breakpoint. */
function BreakpointForm({ drive, place }: { readonly drive: Drive; readonly place: DrivePlace }) {
  const [kind, setKind] = useState('state')
  const [value, setValue] = useState('')
  const [name, setName] = useState('')
  const [error, setError] = useState<string>()
  const entry = place.actors[place.actor]
  const chart = place.charts[entry?.src ?? '']
  const choose = (next: string) => {
    setKind(next)
    setValue(next === 'assertion' ? EXAMPLE : '')
    setError(undefined)
  }
  const submit = () => {
    const made = breakOf(kind, value.trim(), name, entry?.path)
    setError('error' in made ? made.error : undefined)
    if (!('where' in made)) return
    drive.control.breakOn(made.where).catch((reason: unknown) => setError(messageOf(reason)))
  }
  return (
    <Form className={styles.new} onSubmit={submit} aria-label="New breakpoint">
      <Select label="Pause when" options={KINDS} value={kind} onChange={choose} />
      {kind === 'assertion' ? (
        <>
          <TextField label="Name" value={name} onChange={setName} placeholder="name of the check" />
          <TextArea
            label="Assertion"
            labelNote="JSON"
            mono
            rows={4}
            value={value}
            onChange={setValue}
            error={error}
          />
        </>
      ) : kind === 'event' ? (
        <TextField
          label={`Event to ${entry?.path ?? 'any actor'}`}
          mono
          value={value}
          onChange={setValue}
          placeholder="refresh.*"
          error={error}
        />
      ) : statePaths(chart).length === 0 ? (
        <p className={styles.faint}>
          {entry ? `${entry.path} has no states. ` : ''}Select a machine in the actor list to choose one of
          its {kind}s.
        </p>
      ) : (
        <Select
          label={`In ${entry?.path ?? 'the selected actor'}`}
          options={
            kind === 'transition'
              ? transitionNames(chart)
              : statePaths(chart).map(path => ({ id: path, label: path }))
          }
          value={value === '' ? null : value}
          onChange={setValue}
          error={error}
        />
      )}
      <Button type="submit" size="s">
        Add breakpoint
      </Button>
    </Form>
  )
}

function breakOf(
  kind: string,
  value: string,
  name: string,
  actor: string | undefined,
): { readonly where: BreakOn } | { readonly error: string } {
  if (kind === 'assertion') return assertionOf(name, value)
  if (value === '') return { error: kind === 'event' ? 'Enter an event type' : `Choose a ${kind}` }
  const about = actor === undefined ? {} : { actor }
  if (kind === 'event') return { where: { on: 'event', ...about, event: value } }
  if (kind === 'transition') return { where: { on: 'transition', ...about, transition: value } }
  return { where: { on: 'state', ...about, state: value } }
}

/** Breaks on the states that the selected record entered, else on its event. */
export function breaksAt(
  actors: readonly ActorEntry[],
  record: Pick<StepRecord, 'actor' | 'event'> & { readonly value?: StateValue | undefined },
  before: StateValue | undefined,
): BreakOn[] {
  const path = actors[record.actor]?.path
  if (path === undefined) return []
  // Another actor of its kind has another number.
  const actor = path.replaceAll(/\.\d+(?=\/|$)/g, '.*').replaceAll(/#\d+/g, '*')
  const was = leafPaths(before)
  const entered = leafPaths(record.value).filter(path => !was.includes(path))
  if (entered.length === 0) return [{ on: 'event', actor, event: record.event.type }]
  return entered.map(state => ({ on: 'state', actor, state }))
}

/** Returns the paths of all states below the root. */
export function statePaths(chart: MachineChart | undefined): string[] {
  const inside = (state: ChartState): string[] => [state.path, ...state.states.flatMap(inside)]
  return chart ? inside(chart.root).slice(1) : []
}

/** Returns all named transitions with their labels. */
function transitionNames(chart: MachineChart | undefined): { readonly id: string; readonly label: string }[] {
  const inside = (state: ChartState): { id: string; label: string }[] => [
    ...state.transitions.map(({ event, targets }, n) => ({
      id: `${state.path}#${n}`,
      label: `${state.path || '(root)'}: ${event}${targets.length > 0 ? ` → ${targets.join(', ')}` : ''}`,
    })),
    ...state.states.flatMap(inside),
  ]
  return chart ? inside(chart.root) : []
}

/** Parses a typed assertion; returns the assertion or an error. */
export function assertionOf(
  name: string,
  text: string,
): { readonly where: BreakOn } | { readonly error: string } {
  const json = parsed(text)
  if ('error' in json) return json
  const read = readAssertions([{ name: name.trim() || 'assertion', check: json.value }])
  if (read.kind === 'unusable')
    return {
      error: read.problems
        .map(({ at, message }) => `${at.replace('$[0].check', 'it')}: ${message}`)
        .join('; '),
    }
  const [assertion] = read.assertions
  return assertion ? { where: { on: 'assertion', assertion } } : { error: 'The JSON contains no assertion' }
}
