// A run as a Mermaid sequence diagram: the events between actors, and their resulting states.
import type { StepRecord } from '../format/records.ts'
import { ExportError } from './export-error.ts'
import { messageText } from './mermaid-text.ts'
import { pathOf, senderOf, stateText, type Exported } from './run-text.ts'

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
