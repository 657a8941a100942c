// Reads the messages of the other end, which another page wrote: the fields of their kind, each checked.
import {
  fields,
  isCount,
  isFields,
  isFlag,
  isNumber,
  isText,
  listOf,
  maybe,
  recordOf,
  type Test,
} from './checks.ts'
import type { FromApp, FromWindow } from './tab-protocol.ts'

/** A test for each field of each kind of message. */
type Checks<M extends { readonly kind: string }> = {
  readonly [K in M['kind']]: {
    readonly [F in Exclude<keyof Extract<M, { readonly kind: K }>, 'kind'>]-?: Test
  }
}

const FROM_APP: Checks<Exclude<FromApp, { readonly kind: 'unreadable' }>> = {
  here: {},
  run: { run: isText, isRecording: isFlag, elapsed: isNumber, dropped: isCount },
  records: { run: isText, at: isCount, records: isText },
  state: { run: isText, isRecording: isFlag, elapsed: isNumber },
  file: { ask: isCount, bytes: maybe(value => value instanceof Blob), failure: maybe(isText) },
  drive: { news: isText },
  did: { ask: isCount, result: maybe(isText), failure: maybe(isText) },
  going: { ask: isCount, at: isNumber },
  now: {},
  systems: {
    systems: listOf(fields({ id: isCount, label: isText, isRunning: isFlag })),
    shown: maybe(isCount),
  },
  gone: {},
}

const FROM_WINDOW: Checks<FromWindow> = {
  hello: {},
  start: {},
  stop: {},
  save: { ask: isCount },
  moment: { step: maybe(isNumber) },
  bookmark: { note: isText, step: isCount },
  drive: {},
  do: { ask: isCount, act: isText },
  halt: { ask: isCount },
  alive: {},
  show: { system: isCount },
  closed: {},
  dock: { at: recordOf(maybe(isText)) },
}

/** A message of an app; what is none is `unreadable`. Never throws. */
export const fromApp = (value: unknown): FromApp =>
  (read(FROM_APP, value) as FromApp | undefined) ?? {
    kind: 'unreadable',
    problem: 'one of its messages is not a message of a recording',
  }

/** A message of a window, if it is one. Never throws. */
export const fromWindow = (value: unknown): FromWindow | undefined =>
  read(FROM_WINDOW, value) as FromWindow | undefined

function read(
  checks: Readonly<Record<string, Readonly<Record<string, Test>>>>,
  value: unknown,
): object | undefined {
  try {
    if (!isFields(value)) return undefined
    const { kind } = value
    const tests = isText(kind) && Object.hasOwn(checks, kind) ? checks[kind] : undefined
    if (!tests) return undefined
    // Each field is read once.
    const found = Object.entries(tests).map(([name, test]) => ({ name, test, field: value[name] }))
    if (!found.every(({ test, field }) => test(field))) return undefined
    const given = found
      .filter(({ field }) => field !== undefined)
      .map(({ name, field }) => [name, field] as const)
    return { kind, ...Object.fromEntries(given) }
  } catch {
    // A getter or a proxy threw.
    return undefined
  }
}
