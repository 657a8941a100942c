// Mermaid diagrams: a run as a sequence diagram, a machine as a state diagram.
import type { ChartState, ChartTransition, MachineChart } from '../format/chart.ts'
import type { StepRecord } from '../format/records.ts'
import { type Exported, ExportError, pathOf, senderOf, stateText } from './run-text.ts'

/** What a sequence diagram shows. */
export interface SequenceOptions {
  /** First and last step to draw, by `seq`. */
  readonly from?: number
  readonly until?: number
  /** Only steps of these actors and their descendants, and the events they sent. */
  readonly actors?: readonly string[]
}

/** Mermaid rejects texts of more than 50,000 characters, and longer diagrams are unreadable. */
const MOST_STEPS = 250

/** Starts at the first selected step; notes how many steps were left out. */
export function toSequenceDiagram(trace: Exported, options: SequenceOptions = {}): string {
  const { from = 0, until = Infinity } = options
  const wanted = trace.steps.filter(
    step => step.seq >= from && step.seq <= until && isOf(trace, step, options),
  )
  if (wanted.length === 0) throw new ExportError(`no step to draw: the trace has ${trace.steps.length}`)
  const shown = wanted.slice(0, MOST_STEPS)
  const names = participants(trace, shown)
  const last = [...names.values()].at(-1)
  const left = wanted.length - shown.length
  const next = wanted[MOST_STEPS]?.seq
  return [
    'sequenceDiagram',
    ...[...names].map(([index, name]) => `  participant ${name} as ${messageText(label(trace, index))}`),
    ...messages(trace, shown, names),
    ...(left > 0 ? [`  Note over outside,${last}: ${left} more steps from step ${next} on`] : []),
    '',
  ].join('\n')
}

function isOf(trace: Exported, step: StepRecord, { actors }: SequenceOptions): boolean {
  if (!actors || actors.length === 0) return true
  const paths = [step.actor, senderOf(trace, step)].flatMap(at => (at === undefined ? [] : pathOf(trace, at)))
  return paths.some(path => actors.some(wanted => path === wanted || path.startsWith(`${wanted}/`)))
}

const OUTSIDE = -1

const label = (trace: Exported, index: number) => (index === OUTSIDE ? 'outside' : pathOf(trace, index))

/** In table order; the outside comes first. */
function participants(trace: Exported, steps: readonly StepRecord[]): Map<number, string> {
  const seen = new Set(steps.flatMap(step => [step.actor, senderOf(trace, step) ?? OUTSIDE]))
  const inOrder = [...seen].filter(index => index !== OUTSIDE).sort((a, b) => a - b)
  return new Map([[OUTSIDE, 'outside'], ...inOrder.map(index => [index, `a${index}`] as const)])
}

function messages(
  trace: Exported,
  steps: readonly StepRecord[],
  names: ReadonlyMap<number, string>,
): string[] {
  const states = new Map<number, string>()
  let time: number | undefined
  return steps.flatMap(step => {
    const { actor, event, t, value, status } = step
    const [to, sender] = [names.get(actor) ?? 'outside', names.get(senderOf(trace, step) ?? OUTSIDE)]
    const isLeaf = trace.actors[senderOf(trace, step) ?? OUTSIDE]?.kind !== 'machine' && sender !== 'outside'
    const state =
      status === 'active' ? stateText(value) : [stateText(value), status].filter(Boolean).join(', ')
    const isNews = state !== '' && states.get(actor) !== state
    states.set(actor, state)
    const isLater = t !== time
    time = t
    return [
      ...(isLater ? [`  Note over outside: ${seconds(t)} s`] : []),
      `  ${sender}${isLeaf ? '-->>' : '->>'}${to}: ${messageText(event.type)}`,
      ...(isNews ? [`  Note over ${to}: ${messageText(state)}`] : []),
    ]
  })
}

const seconds = (milliseconds: number) => String(Math.round(milliseconds) / 1000)

/** The whole machine; states are numbered, since their names may contain any characters. */
export function toStateDiagram({ root }: MachineChart): string {
  const ids = new Map<string, string>()
  const number = (state: ChartState) => {
    ids.set(state.path, `s${ids.size}`)
    for (const child of state.states) number(child)
  }
  number(root)
  const idOf = (path: string) => ids.get(path) ?? 's0'
  return [
    'stateDiagram-v2',
    ...describe(root, idOf).map(line => `  ${line}`),
    ...edgesOf(root, idOf).map(line => `  ${line}`),
    '',
  ].join('\n')
}

type IdOf = (path: string) => string

/** A state with its descendants. */
function describe(state: ChartState, idOf: IdOf): string[] {
  const id = idOf(state.path)
  const name = labelText(state.key)
  if (state.states.length === 0) return [`state "${name}" as ${id}`, ...notesOf(state, id)]
  const regions = state.states.map(child => [
    ...describe(child, idOf),
    ...(child.type === 'final' ? [`${idOf(child.path)} --> [*]`] : []),
  ])
  const isParallel = state.type === 'parallel'
  const inner = regions.flatMap((lines, at) => (isParallel && at > 0 ? ['--', ...lines] : lines))
  const initial = state.states.find(({ key }) => key === state.initial)
  return [
    `state "${name}" as ${id} {`,
    ...[...(initial ? [`[*] --> ${idOf(initial.path)}`] : []), ...inner].map(line => `  ${line}`),
    '}',
    ...notesOf(state, id),
  ]
}

/** The internal actions and transitions of a state. */
function notesOf({ entry, exit, invoke, transitions, type }: ChartState, id: string): string[] {
  const inner = transitions.filter(({ targets }) => targets.length === 0)
  const notes = [
    ...(type === 'history' ? ['history'] : []),
    ...(entry.length > 0 ? [`entry / ${entry.join(', ')}`] : []),
    ...(exit.length > 0 ? [`exit / ${exit.join(', ')}`] : []),
    ...invoke.map(({ src }) => `invokes ${src}`),
    ...inner.map(labelOf),
  ]
  if (notes.length === 0) return []
  return [`note right of ${id}`, ...notes.map(note => `  ${labelText(note)}`), 'end note']
}

function edgesOf(state: ChartState, idOf: IdOf): string[] {
  const own = state.transitions.flatMap(transition =>
    transition.targets.map(
      target => `${idOf(state.path)} --> ${idOf(target)}: ${labelText(labelOf(transition))}`,
    ),
  )
  return [...own, ...state.states.flatMap(child => edgesOf(child, idOf))]
}

const labelOf = ({ event, guard, actions }: ChartTransition) =>
  [
    event,
    ...(guard === undefined ? [] : [`[${guard}]`]),
    ...(actions.length > 0 ? [`/ ${actions.join(', ')}`] : []),
  ].join(' ')

const inOneLine = (text: string) => text.replaceAll(/\s+/gu, ' ').trim()

/** A label of a sequence diagram: characters with a meaning in its grammar become entity codes. */
const messageText = (text: string): string =>
  inOneLine(text).replaceAll(/[#;:<>"{}[\]()%\\`]/g, found => `#${found.codePointAt(0)};`) || '#160;'

/** Look-alikes of the characters with a meaning in the grammar of state diagrams. */
const ALIKE: Readonly<Record<string, string>> = {
  ':': '∶',
  ';': '；',
  '#': '＃',
  '"': '″',
  '`': '′',
  '{': '｛',
  '}': '｝',
  '<': '‹',
  '>': '›',
  '%': '％',
  '\\': '＼',
}

/** A label of a state diagram, which would show entity codes literally. */
const labelText = (text: string): string =>
  inOneLine(text).replaceAll(/[#;:<>"{}%\\`]/g, found => ALIKE[found] ?? found) || '\u00a0'
