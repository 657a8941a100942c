// A machine of a trace as a W3C SCXML document; comments note what SCXML cannot express or the trace does not
// contain.
import type { ChartState, ChartTransition, MachineChart } from '../format/chart.ts'
import { xmlAttributes, xmlComment, xmlText } from './xml.ts'

interface Writer {
  readonly idOf: Ids
  readonly machines: Readonly<Record<string, MachineChart>>
}

const HEAD = [
  'Guards, actions and delays are names of functions that the data model provides: traces contain no code.',
  'Built-in XState actions (such as assign, sendTo, spawnChild) are calls of that name without arguments.',
]

/** The document; invoked machines are referenced as sibling documents. */
export function toScxml(chart: MachineChart, machines: Readonly<Record<string, MachineChart>> = {}): string {
  const { root } = chart
  const writer: Writer = { idOf: createIds(), machines }
  const attributes = {
    xmlns: 'http://www.w3.org/2005/07/scxml',
    version: '1.0',
    datamodel: 'ecmascript',
    name: chart.id.replaceAll(/[^\w.-]/g, '_').replace(/^(?=[^A-Za-z_])/, '_'),
    initial: writer.idOf(root.path),
  }
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    ...[`Machine ${chart.id}, structure ${chart.hash}.`, ...HEAD].map(xmlComment),
    `<scxml${xmlAttributes(attributes)}>`,
    ...stateLines(root, undefined, writer).map(line => `  ${line}`),
    '</scxml>',
    '',
  ].join('\n')
}

/** The root becomes a state, because it may have transitions, and a document may not. */
function stateLines(state: ChartState, parent: ChartState | undefined, writer: Writer): string[] {
  const { path, type, states, description, tags } = state
  const id = writer.idOf(path)
  const words = [description, tags.length > 0 ? `Tags: ${tags.join(', ')}.` : undefined]
  const comments = words.flatMap(text => (text === undefined ? [] : [xmlComment(text)]))
  if (type === 'history') return [...comments, ...historyLines(state, parent, writer)]
  const tag = type === 'final' || type === 'parallel' ? type : 'state'
  const initial = states.find(({ key }) => key === state.initial)
  const open = `<${tag}${xmlAttributes({ id, initial: initial && tag === 'state' ? writer.idOf(initial.path) : undefined })}`
  const lines = [
    ...block('onentry', [...state.entry.map(script), ...timersOf(state, writer)]),
    ...block('onexit', [...state.exit.map(script), ...cancelsOf(state, writer)]),
    // A final state has no transitions and invokes nothing.
    ...(tag === 'final' ? [] : transitionsOf(state, id, writer)),
    ...(tag === 'final' ? [] : state.invoke.flatMap(invoke => invokeLines(invoke, state, writer))),
    ...states.flatMap(child => stateLines(child, state, writer)),
  ]
  if (lines.length === 0) return [...comments, `${open}/>`]
  return [...comments, `${open}>`, ...lines.map(line => `  ${line}`), `</${tag}>`]
}

const script = (action: string) => `<script>${xmlText(`${call(action)};`)}</script>`

const block = (tag: string, lines: readonly string[]) =>
  lines.length === 0 ? [] : [`<${tag}>`, ...lines.map(line => `  ${line}`), `</${tag}>`]

function historyLines(
  { path, history, fallback }: ChartState,
  parent: ChartState | undefined,
  { idOf }: Writer,
): string[] {
  const others = parent?.states.filter(({ type }) => type !== 'history') ?? []
  const first = others.find(({ key }) => key === parent?.initial) ?? others[0]
  const target = (fallback ?? [first?.path ?? '']).map(one => idOf(one)).join(' ')
  return [
    `<history${xmlAttributes({ id: idOf(path), type: history ?? 'shallow' })}>`,
    `  <transition${xmlAttributes({ target })}/>`,
    '</history>',
  ]
}

const AFTER = 'after '

/** The distinct delays of a state. */
function delaysOf({ transitions }: ChartState): string[] {
  const delays = transitions.flatMap(({ event }) =>
    event.startsWith(AFTER) ? event.slice(AFTER.length) : [],
  )
  return [...new Set(delays)]
}

/** The event sent at the end of a delay, which is also the id for canceling it. */
const delayId = (delay: string, { path }: ChartState, { idOf }: Writer) =>
  idOf(`after.${delay.replaceAll('.', '_')}`, `delay ${path}`)

const timersOf = (state: ChartState, writer: Writer) =>
  delaysOf(state).map(delay => {
    const id = delayId(delay, state, writer)
    const time = /^\d+$/.test(delay) ? { delay: `${delay}ms` } : { delayexpr: call(delay) }
    return `<send${xmlAttributes({ event: id, id, ...time })}/>`
  })

const cancelsOf = (state: ChartState, writer: Writer) =>
  delaysOf(state).map(delay => `<cancel${xmlAttributes({ sendid: delayId(delay, state, writer) })}/>`)

/** In the order in which XState evaluates them. */
function transitionsOf(state: ChartState, id: string, writer: Writer): string[] {
  return state.transitions.flatMap(transition => {
    const { targets, guard, actions } = transition
    const attributes = xmlAttributes({
      event: eventOf(transition, state, id, writer),
      cond: guard === undefined ? undefined : condition(guard),
      type: isWithin(transition, state) ? 'internal' : undefined,
      target: targets.length === 0 ? undefined : targets.map(one => writer.idOf(one)).join(' '),
    })
    const isEmpty = guard === undefined && targets.length === 0 && transition.event === 'always'
    if (isEmpty) return [xmlComment(`always / ${actions.join(', ')}`)]
    if (actions.length === 0) return [`<transition${attributes}/>`]
    return [`<transition${attributes}>`, ...actions.map(action => `  ${script(action)}`), '</transition>']
  })
}

const isWithin = ({ targets, reenter }: ChartTransition, { path, states }: ChartState) =>
  !reenter &&
  targets.length > 0 &&
  states.length > 0 &&
  targets.every(target => target !== path && (path === '' || target.startsWith(`${path}.`)))

function eventOf({ event }: ChartTransition, state: ChartState, id: string, writer: Writer) {
  if (event === 'always') return undefined
  if (event.startsWith(AFTER)) return delayId(event.slice(AFTER.length), state, writer)
  if (event === 'done') return `done.state.${id}`
  const [, kind, src = ''] = /^(done|error|snapshot) (.*)$/.exec(event) ?? []
  if (kind === undefined) return eventName(event)
  const invoke = state.invoke.find(one => one.src === src)
  const child = invoke ? invokeId(invoke, state, writer) : eventName(src)
  return kind === 'done' ? `done.invoke.${child}` : `${kind}.${child}`
}

type Invoke = ChartState['invoke'][number]

/** Two states may use the same invoke id, but ids are unique in a document. */
const invokeId = ({ id }: Invoke, { path }: ChartState, { idOf }: Writer) =>
  idOf(id.replaceAll('.', '_'), `invoke ${path}`)

function invokeLines(invoke: Invoke, state: ChartState, writer: Writer): string[] {
  const { src } = invoke
  const id = invokeId(invoke, state, writer)
  if (Object.hasOwn(writer.machines, src)) {
    const type = 'http://www.w3.org/TR/scxml/'
    return [`<invoke${xmlAttributes({ type, id, src: `${encodeURIComponent(src)}.scxml` })}/>`]
  }
  return [
    xmlComment(`${src} is app code: a promise, a callback or an observable.`),
    `<invoke${xmlAttributes({ type: `x-xstate:${encodeURIComponent(src)}`, id })}/>`,
  ]
}

/** Returns the id of a name; `of` separates things with the same name. */
type Ids = (name: string, of?: string) => string

/** Turns names into XML ids: unique in a document, and with valid characters only. */
function createIds(): Ids {
  const ids = new Map<string, string>()
  const taken = new Set<string>()
  return (path, of = '') => {
    const key = `${of} ${path}`
    const known = ids.get(key)
    if (known !== undefined) return known
    const plain = path === '' ? '_root' : path.replaceAll(/[^\w.-]/g, '_').replace(/^(?=[^A-Za-z_])/, '_')
    let id = plain
    for (let n = 2; taken.has(id); n++) id = `${plain}.${n}`
    ids.set(key, id)
    taken.add(id)
    return id
  }
}

/** One segment of an event name. */
const word = (text: string) => text.replaceAll(/[^\w-]+/g, '_') || '_'

/** The name of an event, segment by segment; a trailing wildcard is kept. */
const eventName = (descriptor: string): string =>
  descriptor === '*'
    ? '*'
    : descriptor
        .split('.')
        .map((part, at) => (part === '*' && at > 0 ? '*' : word(part)))
        .join('.')

const IDENTIFIER = /^[A-Za-z_$][\w$]*$/

/** A call of the app's function with this name. */
const call = (name: string): string =>
  IDENTIFIER.test(name) ? `${name}()` : `named(${JSON.stringify(name)})`

/** A guard as a condition; `and(…)`, `or(…)` and `not(…)` become operators. */
function condition(guard: string): string {
  const [, operator = '', inner = ''] = /^(and|or|not)\((.*)\)$/.exec(guard) ?? []
  if (operator === '') return call(guard)
  const parts = splitTop(inner).map(condition)
  if (operator === 'not') return `!(${parts.join('')})`
  return `(${parts.join(operator === 'and' ? ' && ' : ' || ')})`
}

/** Splits at commas outside brackets. */
function splitTop(text: string): string[] {
  const parts: string[] = []
  let depth = 0
  let from = 0
  for (let at = 0; at < text.length; at++) {
    const letter = text[at]
    if (letter === '(') depth += 1
    if (letter === ')') depth -= 1
    if (letter !== ',' || depth > 0) continue
    parts.push(text.slice(from, at).trim())
    from = at + 1
  }
  return [...parts, text.slice(from).trim()]
}
