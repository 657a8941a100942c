// Hand-written checks of file lines: what is not of the right shape is reported, never trusted.
import type { TraceRecord } from './format.ts'

type Fields = Readonly<Record<string, unknown>>
type Check = (fields: Fields) => string | undefined

const isObject = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype
const isText = (value: unknown): value is string => typeof value === 'string'
const isCount = (value: unknown) => Number.isSafeInteger(value) && (value as number) >= 0
const isNumber = (value: unknown) => typeof value === 'number' && Number.isFinite(value)
const isCause = (value: unknown) => value === -1 || isCount(value)
const isEvent = (value: unknown) => isObject(value) && isText(value['type'])
const isOneOf =
  (...names: readonly string[]) =>
  (value: unknown) =>
    isText(value) && names.includes(value)
const maybe = (test: (value: unknown) => boolean) => (value: unknown) => value === undefined || test(value)
const isListOf = (test: (value: unknown) => boolean) => (value: unknown) =>
  Array.isArray(value) && value.every(test)
const isAnchor = (value: unknown) =>
  isObject(value) &&
  isOneOf('start', 'transition')(value['phase']) &&
  isCount(value['n']) &&
  maybe(isCount)(value['in'])
const isRecordOf = (test: (value: unknown) => boolean) => (value: unknown) =>
  isObject(value) && Object.values(value).every(test)
const isStateValue = (value: unknown): boolean =>
  isText(value) || (isObject(value) && Object.values(value).every(isStateValue))

const isTransition = (value: unknown) =>
  isObject(value) &&
  isText(value['event']) &&
  isListOf(isText)(value['targets']) &&
  isListOf(isText)(value['actions']) &&
  maybe(isText)(value['guard'])

const isState = (value: unknown): boolean =>
  isObject(value) &&
  isText(value['path']) &&
  isText(value['key']) &&
  isOneOf('atomic', 'compound', 'parallel', 'final', 'history')(value['type']) &&
  isListOf(isState)(value['states']) &&
  isListOf(isTransition)(value['transitions']) &&
  isListOf(isText)(value['entry']) &&
  isListOf(isText)(value['exit']) &&
  isListOf(isText)(value['tags']) &&
  isListOf(item => isObject(item) && isText(item['id']) && isText(item['src']))(value['invoke'])

const isMachine = (value: unknown) =>
  isObject(value) && isText(value['id']) && isText(value['hash']) && isState(value['root'])

const isTimer = (value: unknown) =>
  isObject(value) &&
  isCount(value['ordinal']) &&
  isCount(value['source']) &&
  isCount(value['target']) &&
  isEvent(value['event']) &&
  isNumber(value['delay']) &&
  isText(value['id'])

function fields(tests: Readonly<Record<string, (value: unknown) => boolean>>): Check {
  return record => {
    for (const [name, test] of Object.entries(tests)) {
      if (!test(record[name])) return `"${name}" is missing or not as it should be`
    }
    return undefined
  }
}

const STIMULUS = fields({
  seq: isCount,
  t: isNumber,
  kind: isOneOf('external', 'leaf', 'timer', 'stop'),
  to: isCount,
  from: maybe(isCount),
  event: maybe(isEvent),
  anchor: maybe(isAnchor),
  ordinal: maybe(isCount),
  delay: maybe(isNumber),
  threw: maybe(isObject),
})

const CHECKS: Readonly<Record<string, Check>> = {
  header: fields({
    format: isCount,
    system: isText,
    appVersion: isText,
    xstateVersion: isText,
    startedAt: isText,
    machines: isRecordOf(isMachine),
    redaction: value => isObject(value) && isText(value['policy']),
  }),
  actor: fields({
    index: isCount,
    path: isText,
    parent: maybe(isCount),
    kind: isOneOf('machine', 'promise', 'callback', 'observable', 'other'),
    src: isText,
  }),
  stimulus: record => {
    const wrong = STIMULUS(record)
    if (wrong) return wrong
    if (record['kind'] === 'timer' && record['ordinal'] === undefined) return '"ordinal" is missing'
    if (record['kind'] === 'leaf' && record['from'] === undefined) return '"from" is missing'
    const silent = record['kind'] === 'timer' || record['kind'] === 'stop' || record['threw'] !== undefined
    return silent || record['event'] !== undefined ? undefined : '"event" is missing'
  },
  tape: fields({
    kind: isOneOf('now', 'random', 'id'),
    value: value => isText(value) || typeof value === 'number',
  }),
  view: fields({
    seq: isCount,
    t: isNumber,
    actor: isCount,
    event: isEvent,
    from: maybe(isCount),
    cause: isCause,
    by: maybe(isCount),
    status: isOneOf('active', 'done', 'error', 'stopped'),
    value: maybe(isStateValue),
    changed: value => typeof value === 'boolean',
  }),
  keyframe: fields({
    actors: isCount,
    snapshot: isObject,
    timers: isListOf(isTimer),
    nextOrdinal: isCount,
    leaves: isListOf(item => isObject(item) && isCount(item['actor']) && isCount(item['transitions'])),
    names: isRecordOf(isCount),
    unreachable: isListOf(isText),
  }),
  hash: fields({ after: isCount, actors: isRecordOf(isText) }),
  end: fields({ stimuli: isCount, views: isCount }),
}

/** A decoded line as a record, or a sentence that says what is wrong with it. */
export function checkRecord(value: unknown): { readonly record: TraceRecord } | { readonly wrong: string } {
  if (!isObject(value)) return { wrong: 'is not an object' }
  const line = value['line']
  const check = typeof line === 'string' && Object.hasOwn(CHECKS, line) ? CHECKS[line] : undefined
  if (!check) return { wrong: `is of an unknown kind (${String(line).slice(0, 40)})` }
  const wrong = check(value)
  return wrong
    ? { wrong: `is a damaged ${String(line)}: ${wrong}` }
    : { record: value as unknown as TraceRecord }
}
