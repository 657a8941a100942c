// Handwritten validation of file lines as parsed from JSON: invalid lines are reported, never trusted.
import type { Json } from '../codec/json.ts'
import { isActorPath } from '../format/actor-path.ts'

type Fields = { readonly [key: string]: Json }
type Test = (value: Json | undefined) => boolean

/** An object of a record, without the codec's tag, which would decode to another value. */
const isFields = (value: Json | undefined): value is Fields => isObject(value) && !Object.hasOwn(value, '$')
const isObject = (value: Json | undefined): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const isText = (value: Json | undefined): value is string => typeof value === 'string'
const isCount: Test = value => Number.isSafeInteger(value) && (value as number) >= 0
const isNumber: Test = value => typeof value === 'number' && Number.isFinite(value)
/** A number from app code: it may also be `NaN`, infinite or -0. */
const isAnyNumber: Test = value =>
  isNumber(value) || (isObject(value) && value['$'] === 'number' && NUMBERS.has(value['value']))
const NUMBERS: ReadonlySet<unknown> = new Set(['NaN', 'Infinity', '-Infinity', '-0'])
const maybeCount: Test = value => value === undefined || isCount(value)
const maybeText: Test = value => value === undefined || isText(value)

function isListOf(value: Json | undefined, test: Test): boolean {
  return Array.isArray(value) && value.every(test)
}

/** An object by its keys; wrapped if one of them is equal to the codec's tag. */
function plainFields(value: Json | undefined): Fields | undefined {
  if (isFields(value)) return value
  return isObject(value) && value['$'] === 'object' && isObject(value['value']) ? value['value'] : undefined
}

function isRecordOf(value: Json | undefined, test: Test): boolean {
  const fields = plainFields(value)
  return fields !== undefined && Object.values(fields).every(test)
}

const isEvent: Test = value => isText(plainFields(value)?.['type'])
const isStateValue: Test = value => isText(value) || isRecordOf(value, isStateValue)

const PHASES: ReadonlySet<unknown> = new Set(['start', 'transition', 'action', 'snapshot', 'emit', 'send'])
const STIMULI: ReadonlySet<unknown> = new Set(['external', 'leaf', 'timer', 'stop'])
const STATUSES: ReadonlySet<unknown> = new Set(['active', 'done', 'error', 'stopped'])
const ACTORS: ReadonlySet<unknown> = new Set(['machine', 'promise', 'callback', 'observable', 'other'])
const STATES: ReadonlySet<unknown> = new Set(['atomic', 'compound', 'parallel', 'final', 'history'])

const OUTPUTS: ReadonlySet<unknown> = new Set(['action', 'log', 'emit', 'send', 'timer'])
const HISTORIES: ReadonlySet<unknown> = new Set(['shallow', 'deep'])

const isAnchor: Test = value =>
  isFields(value) && PHASES.has(value['phase']) && isCount(value['n']) && maybeCount(value['in'])

const isSame: Test = value =>
  isFields(value) &&
  isText(value['at']) &&
  maybeCount(value['back']) &&
  maybeCount(value['actor']) &&
  isText(value['path'])

const maybeSame: Test = value => value === undefined || isListOf(value, isSame)
const isTyped: Test = value => isFields(value) && isText(value['at']) && isText(value['name'])
const maybeTypes: Test = value => value === undefined || isListOf(value, isTyped)
const maybeTrue: Test = value => value === undefined || value === true

const isTransition: Test = value =>
  isFields(value) &&
  isText(value['event']) &&
  isListOf(value['targets'], isText) &&
  isListOf(value['actions'], isText) &&
  maybeText(value['guard']) &&
  maybeText(value['description']) &&
  (value['reenter'] === undefined || value['reenter'] === true) &&
  (value['delay'] === undefined || isNumber(value['delay']))

const isInvoke: Test = value => isFields(value) && isText(value['id']) && isText(value['src'])

const isState: Test = value =>
  isFields(value) &&
  isText(value['path']) &&
  isText(value['key']) &&
  STATES.has(value['type']) &&
  maybeText(value['initial']) &&
  (value['history'] === undefined || HISTORIES.has(value['history'])) &&
  (value['fallback'] === undefined || isListOf(value['fallback'], isText)) &&
  maybeText(value['description']) &&
  isListOf(value['states'], isState) &&
  isListOf(value['transitions'], isTransition) &&
  isListOf(value['entry'], isText) &&
  isListOf(value['exit'], isText) &&
  isListOf(value['tags'], isText) &&
  isListOf(value['invoke'], isInvoke)

const isMachine: Test = value =>
  isFields(value) && isText(value['id']) && isText(value['hash']) && isState(value['root'])

/** A value that was too large for its line. */
const isMarker: Test = value => isObject(value) && value['$'] === 'unwritable'
const isOutput: Test = value =>
  isMarker(value) || (isFields(value) && OUTPUTS.has(value['kind']) && maybeText(value['name']))

const isPlace: Test = value => isListOf(value, isCount) && [2, 3].includes((value as readonly Json[]).length)
const maybePlaces: Test = value => value === undefined || isRecordOf(value, isPlace)
const PARTS = ['states', 'transitions', 'guards', 'actions', 'actors', 'delays', 'inline']

const isSource: Test = value =>
  isFields(value) &&
  isListOf(value['files'], isText) &&
  isPlace(value['machine']) &&
  PARTS.every(name => maybePlaces(value[name]))

const isTimer: Test = value =>
  isFields(value) &&
  isCount(value['ordinal']) &&
  isCount(value['source']) &&
  maybeCount(value['target']) &&
  maybeText(value['outside']) &&
  (value['target'] ?? value['outside']) !== undefined &&
  isEvent(value['event']) &&
  isAnyNumber(value['delay']) &&
  (value['left'] === undefined || isAnyNumber(value['left'])) &&
  isText(value['id'])

const isLeaf: Test = value => isFields(value) && isCount(value['actor']) && isCount(value['transitions'])

/** Each returns the name of the first invalid field, or '' if all are valid. */
type Check = (record: Fields) => string

const header: Check = r => {
  if (!isCount(r['format'])) return 'format'
  for (const name of ['system', 'appVersion', 'xstateVersion', 'startedAt']) if (!isText(r[name])) return name
  if (!isRecordOf(r['machines'], isMachine)) return 'machines'
  if (r['sources'] !== undefined && !isRecordOf(r['sources'], isSource)) return 'sources'
  if (!isFields(r['redaction']) || !isText(r['redaction']['policy'])) return 'redaction'
  if (r['steps'] !== undefined && r['steps'] !== false) return 'steps'
  if (r['platform'] !== undefined && r['platform'] !== true) return 'platform'
  if (!maybeSame(r['same'])) return 'same'
  if (!maybeTypes(r['types'])) return 'types'
  if (!maybeTrue(r['outputs'])) return 'outputs'
  if (!maybeTrue(r['partial'])) return 'partial'
  if (!maybeText(r['traceparent'])) return 'traceparent'
  const from = r['branchOf']
  if (from === undefined) return ''
  return isFields(from) && isText(from['system']) && isText(from['startedAt']) && isCount(from['at'])
    ? ''
    : 'branchOf'
}

const actor: Check = r => {
  if (!isCount(r['index'])) return 'index'
  if (!isText(r['path'])) return 'path'
  if (!maybeCount(r['parent'])) return 'parent'
  if (!ACTORS.has(r['kind'])) return 'kind'
  return isText(r['src']) ? '' : 'src'
}

const stimulus: Check = r => {
  const kind = r['kind']
  if (!isCount(r['seq'])) return 'seq'
  if (!isNumber(r['t'])) return 't'
  if (!STIMULI.has(kind)) return 'kind'
  if (!isCount(r['to'])) return 'to'
  if (kind === 'leaf' ? !isCount(r['from']) : !maybeCount(r['from'])) return 'from'
  if (r['threw'] !== undefined && !(isFields(r['threw']) && 'error' in r['threw'])) return 'threw'
  const isSilent = kind === 'timer' || kind === 'stop' || r['threw'] !== undefined
  if (!(r['event'] === undefined ? isSilent : isEvent(r['event']))) return 'event'
  if (!maybeSame(r['same'])) return 'same'
  if (!maybeTypes(r['types'])) return 'types'
  if (!maybeTrue(r['partial'])) return 'partial'
  if (r['anchor'] !== undefined && !isAnchor(r['anchor'])) return 'anchor'
  if (kind === 'timer' ? !isCount(r['ordinal']) : !maybeCount(r['ordinal'])) return 'ordinal'
  return r['delay'] === undefined || isAnyNumber(r['delay']) ? '' : 'delay'
}

const step: Check = r => {
  if (!isCount(r['seq'])) return 'seq'
  if (!isNumber(r['t'])) return 't'
  if (!isCount(r['actor'])) return 'actor'
  if (!isEvent(r['event'])) return 'event'
  if (!maybeCount(r['from'])) return 'from'
  if (r['cause'] !== -1 && !isCount(r['cause'])) return 'cause'
  if (!maybeCount(r['by'])) return 'by'
  if (!STATUSES.has(r['status'])) return 'status'
  if (r['value'] !== undefined && !isStateValue(r['value'])) return 'value'
  const { outputs } = r
  if (!(outputs === undefined || isMarker(outputs) || isListOf(outputs, isOutput))) return 'outputs'
  if (typeof r['changed'] !== 'boolean') return 'changed'
  return r['via'] === undefined || isListOf(r['via'], isText) ? '' : 'via'
}

const keyframe: Check = r => {
  for (const name of ['at', 'steps', 'tape']) if (!isCount(r[name])) return name
  if (!isCount(r['actors'])) return 'actors'
  if (!plainFields(r['snapshot'])) return 'snapshot'
  if (!maybeSame(r['same'])) return 'same'
  if (!maybeTypes(r['types'])) return 'types'
  if (!maybeTrue(r['partial'])) return 'partial'
  if (!isListOf(r['timers'], isTimer)) return 'timers'
  if (!isCount(r['nextOrdinal'])) return 'nextOrdinal'
  if (!isListOf(r['leaves'], isLeaf)) return 'leaves'
  if (!isRecordOf(r['names'], isCount)) return 'names'
  return isListOf(r['unreachable'], isText) ? '' : 'unreachable'
}

const tape: Check = r => {
  const kind = r['kind']
  if (!isText(kind) || kind === '') return 'kind'
  if (!('value' in r)) return 'value'
  if (kind === 'now' || kind === 'random' ? !isAnyNumber(r['value']) : kind === 'id' && !isText(r['value']))
    return 'value'
  return maybeCount(r['at']) ? '' : 'at'
}

const CHECKS: ReadonlyMap<unknown, Check> = new Map<unknown, Check>([
  ['header', header],
  ['actor', actor],
  ['stimulus', stimulus],
  ['step', step],
  ['keyframe', keyframe],
  ['tape', tape],
  ['hash', r => (!isCount(r['after']) ? 'after' : isRecordOf(r['actors'], isText) ? '' : 'actors')],
  ['damage', r => (!isCount(r['at']) ? 'at' : isText(r['message']) ? '' : 'message')],
  ['bookmark', r => (!isCount(r['step']) ? 'step' : isText(r['note']) ? '' : 'note')],
  ['end', r => (!isCount(r['stimuli']) ? 'stimuli' : isCount(r['steps']) ? '' : 'steps')],
])

/** Describes what is wrong with a line, as a sentence without its subject; undefined if valid. */
export function checkLine(json: Json): string | undefined {
  if (!isFields(json)) return 'is not an object'
  const kind = describe(json['line'])
  const check = CHECKS.get(json['line'])
  if (!check) return `is of an unknown kind (${kind})`
  if (isText(json['path']) && !isActorPath(json['path']))
    return `is a damaged ${kind}: its path contains a control character or a line separator`
  const wrong = check(json)
  return wrong === '' ? undefined : `is a damaged ${kind}: "${wrong}" is missing or invalid`
}

function describe(kind: Json | undefined): string {
  return typeof kind === 'object' ? typeof kind : String(kind).slice(0, 40)
}
