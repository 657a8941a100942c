// Client-side faults, which work with any backend.
import { useState } from 'react'
import { type Fault, STORIES, type FaultKind } from '../../../services/control/index.ts'
import { Button } from '../../widgets/button.tsx'
import styles from './drive.module.css'
import type { BackendFaultsModel, Drive } from './use-drive.ts'
import { TextArea } from '../../widgets/text-area.tsx'
import { Form } from '../../widgets/form.tsx'
import { parsed } from './payload.ts'

export interface FaultsTabProps {
  readonly drive: Drive
  /** Undefined unless the backend is the embedded one. */
  readonly backend: BackendFaultsModel | undefined
}

export function FaultsTab({ drive, backend }: FaultsTabProps) {
  const { control, state } = drive
  const [killed, setKilled] = useState<number>()
  return (
    <div className={styles.pane}>
      <div className={styles.controls}>
        <p className={styles.faint}>Client-side faults (work with any backend). Recorded as injected.</p>
        <Button size="s" isDisabled={state.faults.length === 0} onPress={() => control.faults.clear()}>
          Clear all
        </Button>
      </div>
      <ul className={styles.list} aria-label="Faults">
        {FAULT_FORMS.map(form => (
          <FaultRow key={form.kind} form={form} drive={drive} />
        ))}
        <li className={styles.row}>
          <div className={styles.what}>
            <span>Disconnect the socket</span>
            <span className={styles.who}>
              {killed === undefined
                ? 'once and abruptly, as if the network failed'
                : `${killed === 0 ? 'none was' : `${killed} ${killed === 1 ? 'was' : 'were'}`} open`}
            </span>
          </div>
          <Button size="s" onPress={() => void Promise.resolve(control.faults.killSockets()).then(setKilled)}>
            Disconnect
          </Button>
        </li>
      </ul>
      {backend ? <BackendSection model={backend} /> : null}
    </div>
  )
}

function FaultRow({ form, drive }: { readonly form: FaultForm; readonly drive: Drive }) {
  const { faults } = drive.control
  const active = drive.state.faults.find(({ fault }) => fault.kind === form.kind)
  const [values, setValues] = useState(form.inputs.map(({ initial }) => initial))
  const fault: Fault = form.make(values)
  return (
    <li className={styles.row} data-fault={active ? true : undefined}>
      <div className={styles.what}>
        <span>{active ? `◆ ${active.text}` : form.title}</span>
        <span className={styles.who}>
          {active ? (active.hits === 0 ? 'active, not hit yet' : `active, hit ${active.hits}×`) : form.text}
        </span>
        {active || form.inputs.length === 0 ? null : (
          <span className={styles.amounts}>
            {form.inputs.map(({ label, unit, min, max, step = 1 }, at) => (
              <label key={label} className={styles.amount}>
                <input
                  type="number"
                  min={min}
                  max={max}
                  step={step}
                  value={values[at]}
                  aria-label={`${form.title}: ${label}`}
                  onChange={event => setValues(known => known.with(at, Number(event.target.value)))}
                />
                {unit}
              </label>
            ))}
          </span>
        )}
      </div>
      <Button
        size="s"
        aria-label={active ? `Clear: ${active.text}` : `Set: ${form.title}`}
        onPress={() => (active ? faults.clear(form.kind) : faults.set(fault))}
      >
        {active ? 'Clear' : 'Set'}
      </Button>
    </li>
  )
}

const EXAMPLE = '{ "when": { "family": "rest", "every": 3 }, "do": { "status": 503 } }'

/** Faults of the embedded backend: its stories, its plan, and custom faults. */
function BackendSection({ model }: { readonly model: BackendFaultsModel }) {
  const { plan, problem, add, clear } = model
  return (
    <section className={styles.section} aria-label="Embedded backend faults">
      <div className={styles.controls}>
        <h2 className={styles.title}>Embedded backend</h2>
        <Button size="s" isDisabled={plan.faults.length === 0} onPress={() => clear()}>
          Clear backend faults
        </Button>
      </div>
      <div className={styles.events} role="group" aria-label="Stories">
        {STORIES.map(story => (
          <button key={story} type="button" className={styles.event} onClick={() => add({ story })}>
            {story}
          </button>
        ))}
      </div>
      <ul className={styles.list} aria-label="Backend fault plan">
        {plan.faults.map(({ id, fault, hits }) => (
          <li key={id} className={styles.row} data-fault>
            <div className={styles.what}>
              <span>◆ {id}</span>
              <span className={styles.who}>
                {wordsOf(fault)} · {hits === 0 ? 'not hit yet' : `hit ${hits}×`}
              </span>
            </div>
            <Button size="s" aria-label={`Clear: ${id}`} onPress={() => clear(id)}>
              Clear
            </Button>
          </li>
        ))}
      </ul>
      {plan.held > 0 ? <p className={styles.faint}>{plan.held} calls are paused.</p> : null}
      <NewFault onAdd={add} problem={problem} />
    </section>
  )
}

function NewFault(props: { readonly onAdd: (fault: object) => void; readonly problem: string | undefined }) {
  const [text, setText] = useState<string>()
  const [error, setError] = useState<string>()
  if (text === undefined)
    return (
      <Button size="s" variant="quiet" onPress={() => setText(EXAMPLE)}>
        Custom fault…
      </Button>
    )
  const submit = () => {
    const read = parsed(text)
    const isFault = 'value' in read && typeof read.value === 'object' && read.value !== null
    setError('error' in read ? read.error : isFault ? undefined : 'A fault must be a JSON object')
    if (isFault) props.onAdd(read.value as object)
  }
  return (
    <Form className={styles.new} onSubmit={submit} aria-label="New backend fault">
      <TextArea
        label="Fault"
        labelNote="JSON, see the guide to faults"
        mono
        rows={4}
        value={text}
        onChange={setText}
        error={error ?? props.problem}
      />
      <Button type="submit" size="s">
        Add fault
      </Button>
    </Form>
  )
}

function wordsOf(fault: object): string {
  const { do: what } = fault as { readonly do?: unknown }
  return JSON.stringify(what ?? fault)
}

interface FaultInput {
  readonly label: string
  readonly unit: string
  readonly initial: number
  readonly min: number
  readonly max: number
  /** Defaults to 1. */
  readonly step?: number
}

interface FaultForm {
  readonly kind: FaultKind
  readonly title: string
  readonly text: string
  readonly inputs: readonly FaultInput[]
  /** Creates the fault from the input values, in order. */
  readonly make: (values: readonly number[]) => Fault
}

/** A fault without settings. */
const plain = (
  kind: 'offline' | 'unreachable' | 'expireToken' | 'revoke' | 'storageFull',
  title: string,
  text: string,
): FaultForm => ({ kind, title, text, inputs: [], make: () => ({ kind }) })

/** In panel order. */
const FAULT_FORMS: readonly FaultForm[] = [
  plain('offline', 'Offline', 'the device reports offline; sockets disconnect'),
  plain('unreachable', 'No response', 'requests never complete; the device still reports online'),
  {
    kind: 'slow',
    title: 'Slow network',
    text: 'requests and socket frames are delayed',
    inputs: [
      { label: 'delay', unit: 'ms', initial: 800, min: 0, max: 60_000, step: 100 },
      { label: 'plus up to', unit: 'ms', initial: 400, min: 0, max: 60_000, step: 100 },
    ],
    make: ([delay = 0, jitter = 0]) => ({ kind: 'slow', delay, jitter }),
  },
  {
    kind: 'fail',
    title: 'Fail the next requests',
    text: 'status 0 = no response',
    inputs: [
      { label: 'count', unit: '×', initial: 3, min: 1, max: 1_000 },
      { label: 'status', unit: '', initial: 503, min: 0, max: 599 },
    ],
    make: ([times = 1, status = 0]) => ({ kind: 'fail', times, ...(status >= 200 && { status }) }),
  },
  plain('expireToken', 'Expire the token now', 'the current token is rejected; a new one works'),
  plain('revoke', 'Revoke the session', 'all tokens are rejected and none are issued until the next sign-in'),
  {
    kind: 'dropFrames',
    title: 'Drop socket frames',
    text: 'both directions; 0 = all',
    inputs: [{ label: 'count', unit: '×', initial: 0, min: 0, max: 10_000 }],
    make: ([times = 0]) => ({ kind: 'dropFrames', way: 'both', ...(times > 0 && { times }) }),
  },
  {
    kind: 'skewClock',
    title: 'Clock skew',
    text: 'shifts the time of day the app sees; negative = behind',
    inputs: [{ label: 'seconds', unit: 's', initial: 300, min: -86_400, max: 86_400, step: 30 }],
    make: ([seconds = 0]) => ({ kind: 'skewClock', by: seconds * 1000 }),
  },
  plain('storageFull', 'Storage full', 'the session cannot be stored in the browser'),
]
