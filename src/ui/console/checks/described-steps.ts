// Describes a run as numbered steps: each input, its time, and the state changes it caused.
import {
  type ReplayableTrace,
  short,
  stateLabel,
  type StepRecord,
  type Stimulus,
} from '../../../trace/index.ts'

export interface DescribedStep {
  /** Sequence number of the stimulus. */
  readonly seq: number
  /** Number of the first step it caused; undefined if it caused none. */
  readonly step?: number
  readonly words: string
  /** Machines whose state it changed. */
  readonly states: readonly string[]
}

type StepsTrace = Pick<ReplayableTrace, 'actors' | 'stimuli' | 'steps'>

/** Maximum state changes listed per step. */
const MOST_STATES = 6
/** Maximum characters of an event's payload. */
const MOST_LETTERS = 90

/** Describes the given stimuli; one that arrived during another's step belongs to that step. */
export function describeSteps(trace: StepsTrace, seqs: readonly number[]): DescribedStep[] {
  const set = stepsByTurn(trace)
  const states = new Map<number, string>()
  const wanted = new Set(seqs)
  let before: number | undefined
  return trace.stimuli.flatMap(stimulus => {
    if (stimulus.anchor) return []
    const steps = set.get(stimulus.seq) ?? []
    const reached = cameTo(trace, steps, states)
    if (!wanted.has(stimulus.seq)) return []
    const wait = before === undefined ? '' : pause(stimulus.t - before)
    before = stimulus.t
    const step = steps[0]?.seq
    return [
      {
        seq: stimulus.seq,
        ...(step !== undefined && { step }),
        words: wait + wordsOf(trace, stimulus),
        states: reached,
      },
    ]
  })
}

/** Formats numbered lines, ready to paste. */
export function stepsAsText(steps: readonly DescribedStep[], more = 0): string {
  const lines = steps.flatMap(({ words, states }, at) => [
    `${at + 1}. ${words}`,
    ...states.map(one => `   → ${one}`),
  ])
  return `${[...lines, ...(more > 0 ? [`… and ${more} more`] : [])].join('\n')}\n`
}

/** The steps that each external stimulus caused, including those of stimuli sent during its step. */
function stepsByTurn({ stimuli, steps }: StepsTrace): Map<number, StepRecord[]> {
  const set = new Map<number, StepRecord[]>()
  let turn = -1
  for (const step of steps) {
    if (step.cause > turn && stimuli[step.cause]?.anchor === undefined) turn = step.cause
    const known = set.get(turn)
    if (known) known.push(step)
    else set.set(turn, [step])
  }
  return set
}

function cameTo({ actors }: StepsTrace, steps: readonly StepRecord[], states: Map<number, string>): string[] {
  const moved = new Map<number, string>()
  for (const { actor, value, status } of steps) {
    const state = stateLabel(value) || (value === undefined ? '' : status)
    if (state === '' || states.get(actor) === state) continue
    states.set(actor, state)
    moved.set(actor, state)
  }
  const reached = [...moved].map(([actor, state]) => `${nameOf(actors, actor)} is ${state}`)
  const more = reached.length - MOST_STATES
  return more > 0 ? [...reached.slice(0, MOST_STATES), `and ${more} more machines changed`] : reached
}

function wordsOf(trace: StepsTrace, { kind, to, from, event, threw }: Stimulus): string {
  const path = (actor: number | undefined) => nameOf(trace.actors, actor)
  if (kind === 'stop') return `Stop ${path(to)}.`
  if (kind === 'timer') return `Fire the timer of ${path(to)}: ${typeOf(event)}.`
  if (kind === 'external') return `Send ${eventInWords(event)} to ${path(to)}.`
  if (threw) return `${path(from)} throws ${short(threw.error, MOST_LETTERS)}.`
  return `${path(from)} ${answerInWords(event)}.`
}

/** All paths start with the root's name, so it is omitted. */
function nameOf(actors: StepsTrace['actors'], actor = -1): string {
  const path = actors[actor]?.path ?? 'an actor'
  return path.slice(path.indexOf('/') + 1)
}

function answerInWords(event: unknown): string {
  const type = typeOf(event)
  const data = () => short(partsOf(event)['data'], MOST_LETTERS)
  switch (type) {
    case 'xstate.promise.resolve':
      return `resolves with ${data()}`
    case 'xstate.promise.reject':
      return `fails with ${data()}`
    case 'xstate.observable.next':
      return `emits ${data()}`
    case 'xstate.observable.error':
      return `fails with ${data()}`
    case 'xstate.observable.complete':
      return 'completes'
    default:
      return `sends ${eventInWords(event)}`
  }
}

function eventInWords(event: unknown): string {
  const { type: _, ...rest } = partsOf(event)
  return Object.keys(rest).length === 0 ? typeOf(event) : `${typeOf(event)} ${short(rest, MOST_LETTERS)}`
}

const partsOf = (event: unknown): Readonly<Record<string, unknown>> =>
  typeof event === 'object' && event !== null ? { ...event } : {}

function typeOf(event: unknown): string {
  const { type } = partsOf(event)
  return typeof type === 'string' ? type : 'an event'
}

function pause(ms: number): string {
  if (ms < 1) return ''
  return ms < 1_000 ? `After ${Math.round(ms)} ms: ` : `After ${(ms / 1_000).toFixed(1)} s: `
}
