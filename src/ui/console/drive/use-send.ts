// State of the send form: receiver, event and payload; and the events sent before.
import { useMemo, useState } from 'react'
import type { Drive } from './use-drive.ts'
import type { DrivePlace } from './drive-panel.tsx'
import { payloadOf, schemaFields } from '../payload/fields.ts'
import { useEventSchema } from '../payload/use-event-schema.ts'
import { eventTypes, examplesOf, fieldsOf, parsed, type PayloadField } from './payload.ts'

/** An event that was sent from this form. */
export interface SentEvent {
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

export type Send = ReturnType<typeof useSend>

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
