// Sends an event to a running actor, with a form for its payload.
import { SendHorizontal } from 'lucide-react'
import type { KeyboardEvent } from 'react-aria-components'
import { Button } from '../../widgets/button.tsx'
import { TextField } from '../../widgets/field.tsx'
import { TextArea } from '../../widgets/text-area.tsx'
import { Select } from '../../widgets/select.tsx'
import { EmptyState } from '../../widgets/state.tsx'
import { Form } from '../../widgets/form.tsx'
import { plural } from '../text.ts'
import styles from './drive.module.css'
import {
  type PayloadField,
  eventTypes,
  examplesOf,
  fieldsOf,
  parsed,
  payloadOf,
  schemaFields,
} from './payload.ts'
import type { Drive, DrivePlace } from './use-drive.ts'
import { useMemo, useState, useEffect } from 'react'
import type { EventSchemas, MachineChart, PayloadSchema } from '../../../trace/index.ts'

export function SendTab({ drive, place }: { readonly drive: Drive; readonly place: DrivePlace }) {
  const send = useSend(drive, place)
  const { target } = send
  if (!target) return <EmptyState title="No running machine">Start a machine to send it events.</EmptyState>
  const submit = () => {
    send.send()
  }
  return (
    <Form className={styles.pane} onSubmit={submit} aria-label="Send an event">
      <Select
        label="To"
        options={send.targets.map(path => ({ id: path, label: path }))}
        value={target.path}
        onChange={send.choose}
      />
      <TypeChoice send={send} />
      <PayloadForm send={send} />
      <div className={styles.controls}>
        <Button
          type="submit"
          variant="primary"
          size="s"
          icon={<SendHorizontal size={13} aria-hidden />}
          isDisabled={send.type === ''}
        >
          Send
        </Button>
        <span className={styles.faint}>
          {drive.state.hold ? 'skips waiting events' : 'Enter to send; Ctrl+Enter in multi-line fields'}
        </span>
      </div>
      <LaterEvents send={send} />
      <History send={send} />
    </Form>
  )
}

/** Enter adds a line in multi-line fields. */
function sendsByKey(event: KeyboardEvent, send: Send): void {
  if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) send.send()
}

function TypeChoice({ send }: { readonly send: Send }) {
  const { now } = send.types
  return (
    <>
      <TextField label="Event" mono value={send.type} onChange={send.pick} placeholder="event type" />
      <EventList label="Handled now" types={now} send={send} />
    </>
  )
}

function LaterEvents({ send }: { readonly send: Send }) {
  const { later } = send.types
  if (later.length === 0) return null
  return (
    <details className={styles.more}>
      <summary>{plural(later.length, 'event')} handled elsewhere</summary>
      <EventList label="Handled elsewhere" types={later} send={send} />
    </details>
  )
}

function EventList(props: {
  readonly label: string
  readonly types: readonly string[]
  readonly send: Send
}) {
  const { label, types, send } = props
  if (types.length === 0) return null
  return (
    <div className={styles.events} role="group" aria-label={label}>
      <span className={styles.faint}>{label}</span>
      {types.map(type => (
        <button
          key={type}
          type="button"
          className={styles.event}
          aria-pressed={type === send.type}
          onClick={() => send.pick(type)}
        >
          {type}
        </button>
      ))}
    </div>
  )
}

export function PayloadForm({ send }: { readonly send: Send }) {
  const { fields, json, errors, type } = send
  if (type === '') return null
  if (json !== undefined)
    return (
      <>
        <TextArea
          label="Payload"
          labelNote="JSON"
          mono
          rows={6}
          value={json}
          onChange={send.setJson}
          onKeyDown={event => sendsByKey(event, send)}
          error={errors['json']}
        />
        <Button size="s" variant="quiet" onPress={send.toggleJson}>
          As a form
        </Button>
      </>
    )
  return (
    <>
      {fields.length === 0 ? (
        <p className={styles.faint}>
          {send.isDescribed
            ? `${type} has no payload.`
            : `No ${type} with a payload was recorded, so it is sent without one. To add a payload, write JSON.`}
        </p>
      ) : (
        fields.map(field => <Field key={field.key} field={field} send={send} />)
      )}
      <Button size="s" variant="quiet" onPress={send.toggleJson}>
        As JSON
      </Button>
    </>
  )
}

/** Option for an omitted choice. */
const NONE = '(none)'

function Field({ field, send }: { readonly field: PayloadField; readonly send: Send }) {
  const { key, type, isOptional, options, description, format } = field
  const value = send.textOf(field)
  const note = isOptional ? `${format ?? type}, optional` : (format ?? type)
  if (type === 'choice')
    return (
      <Select
        label={key}
        options={options.map(id => ({ id: id || NONE, label: id || 'none' }))}
        value={value || NONE}
        onChange={text => send.setText(key, text === NONE ? '' : text)}
      />
    )
  const shared = {
    label: key,
    labelNote: note,
    ...(description !== undefined && { hint: description }),
    mono: true,
    value,
    onChange: (text: string) => send.setText(key, text),
    error: send.errors[key],
  }
  return type === 'json' ? (
    <TextArea {...shared} rows={3} onKeyDown={event => sendsByKey(event, send)} />
  ) : (
    <TextField {...shared} />
  )
}

function History({ send }: { readonly send: Send }) {
  if (send.history.length === 0) return null
  return (
    <section aria-label="Sent events">
      <h2 className={styles.title}>Sent events</h2>
      <ul className={styles.list}>
        {send.history.map(sent => (
          <li key={`${sent.to} ${sent.type} ${sent.payload}`} className={styles.row}>
            <div className={styles.what}>
              <code>{sent.type}</code>
              <span className={styles.who}>{sent.to}</span>
            </div>
            <Button size="s" variant="quiet" onPress={() => send.again(sent)}>
              Reuse
            </Button>
          </li>
        ))}
      </ul>
    </section>
  )
}

/** An event that was sent from this form. */
interface SentEvent {
  readonly to: string
  readonly type: string
  /** As JSON. */
  readonly payload: string
}

type Made = { readonly payload: object } | { readonly errors: Readonly<Record<string, string>> }

const HISTORY = 12
const NO_TYPES = { now: [], later: [] }

/** @param fixed the receiver and event type, if they cannot be changed */
export function useSend(
  drive: Drive,
  { actors, charts, actor, examples }: DrivePlace,
  fixed?: { readonly to: string; readonly type: string },
) {
  const living = drive.control.actors().filter(({ kind }) => kind === 'machine')
  const [chosen, choose] = useState<string | undefined>(fixed?.to)
  const [type, setType] = useState(fixed?.type ?? '')
  const [texts, setTexts] = useState<Readonly<Record<string, string>>>({})
  const [json, setJson] = useState<string>()
  const [isTried, setTried] = useState(false)
  const [history, setHistory] = useState<readonly SentEvent[]>([])
  const selected = actors[actor]?.path
  const target = living.find(({ path }) => path === (chosen ?? selected)) ?? living[0]
  const chart = charts[target?.src ?? '']
  const types = chart ? eventTypes(chart, target?.value) : NO_TYPES
  const src = target?.src ?? ''
  // Examples are searched when another event is chosen, not with every record.
  const recorded = useMemo(() => examplesOf(examples, src, type), [examples, src, type])
  const schema = useEventSchema(chart, type)
  const fields = useMemo(
    () => (schema ? schemaFields(schema, recorded[0]) : fieldsOf(recorded)),
    [schema, recorded],
  )
  const made = json === undefined ? payloadOf(fields, inForm(texts)) : fromJson(json)
  const pick = (next: string) => {
    setType(next)
    setTexts({})
    setJson(undefined)
    setTried(false)
  }
  return {
    target,
    targets: living.map(({ path }) => path),
    choose,
    types,
    type,
    pick,
    fields,
    textOf: inForm(texts),
    /** Whether the event's payload is known, even if it is empty. */
    isDescribed: schema !== undefined,
    setText: (key: string, text: string) => setTexts(known => ({ ...known, [key]: text })),
    json,
    /** Switches to JSON with the form's values, and back. */
    toggleJson: () => setJson(json === undefined ? toJson(fields, texts) : undefined),
    setJson,
    errors: isTried && 'errors' in made ? made.errors : {},
    history,
    again({ to, type: next, payload }: SentEvent) {
      choose(to)
      pick(next)
      setJson(payload)
    },
    /** Returns false if nothing was sent. */
    send(): boolean {
      setTried(true)
      if (!target || type === '' || 'errors' in made) return false
      void drive.control.send(target.path, { ...made.payload, type })
      const sent = { to: target.path, type, payload: JSON.stringify(made.payload, undefined, 2) }
      setHistory(known => [sent, ...known.filter(one => !isSame(one, sent))].slice(0, HISTORY))
      return true
    },
  }
}

type Send = ReturnType<typeof useSend>

const isSame = (a: SentEvent, b: SentEvent) => a.to === b.to && a.type === b.type && a.payload === b.payload

const inForm =
  (texts: Readonly<Record<string, string>>) =>
  ({ key, example }: PayloadField): string =>
    texts[key] ?? example

function fromJson(text: string): Made {
  const read = parsed(text.trim() === '' ? '{}' : text)
  if ('error' in read) return { errors: { json: read.error } }
  const { value } = read
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
  return isObject ? { payload: value } : { errors: { json: 'A payload must be an object, e.g. {"by": 2}' } }
}

function toJson(fields: readonly PayloadField[], texts: Readonly<Record<string, string>>): string {
  const made = payloadOf(fields, inForm(texts))
  return JSON.stringify('payload' in made ? made.payload : {}, undefined, 2)
}

type Known = Readonly<Record<string, EventSchemas | undefined>>

/** Undefined if there is none, and until those of the client are loaded. */
function useEventSchema(chart: MachineChart | undefined, type: string): PayloadSchema | undefined {
  const [known, setKnown] = useState<Known>()
  const own = chart?.events?.[type]
  const isAsked = chart !== undefined && !own && !known
  useEffect(() => {
    if (!isAsked) return
    let isWanted = true
    const settle = (found: Known) => isWanted && setKnown(found)
    import('./event-schemas.json').then(
      module => settle(module.default as Known),
      () => settle({}),
    )
    return () => {
      isWanted = false
    }
  }, [isAsked])
  return own ?? (chart && known?.[`${chart.id}:${chart.hash}`]?.[type])
}
