// A trace as a Vitest test: events and effect results, the time between them, and the states on the way.
import type { ReplayableTrace } from '../format/trace-source.ts'
import type { StepRecord, Stimulus } from '../format/records.ts'
import { ExportError, levelsOf } from './run-text.ts'
import { literal, sayable, Unsayable } from './literal.ts'
import { explainEnd } from '../explain/explain-more.ts'

/** Options of `vitestTest`. */
export interface TestOptions {
  /** Title of the test; defaults to the system and its events. */
  readonly title?: string
  /** Import of the system, and its name afterwards. */
  readonly system: { readonly import: string; readonly name: string }
  /** Asserts states only of actors whose path contains one of these; defaults to all. */
  readonly only?: readonly string[]
  /** Time of each stimulus in whole milliseconds, by its number; defaults to the recorded time. */
  readonly times?: ReadonlyMap<number, number>
  /** Omits types: the output is JavaScript. */
  readonly isUntyped?: boolean
}

/**
 * Writes a Vitest test that repeats a trace. It uses `createStage` of `@chartroom/devtools/vitest`: the code of effects does not run in it.
 * @throws ExportError if the trace contains something that a test cannot express
 */
export function vitestTest(trace: ReplayableTrace, options: TestOptions): string {
  if (trace.keyframes[0]?.at === 0)
    throw new ExportError(
      'it begins during a run, and a test begins at the start of a system. Reload the app, and save the recording ' +
        'before another one is started there: by its button, or by an update of the machine while the app runs',
    )
  const writer = new TestWriter(trace, options)
  const [atOnce, body] = [writer.atOnce(), writer.body()]
  return [
    '// Generated from a recorded trace: change the expectations to the behavior you want, and commit it.',
    `import { createStage${atOnce.length === 0 || options.isUntyped ? '' : ', type AtOnce'} } from '@chartroom/devtools/vitest'`,
    "import { expect, test } from 'vitest'",
    options.system.import,
    '',
    ...atOnce,
    `test(${literal(options.title ?? testTitle(trace))}, () => {`,
    ...body.map(line => (line === '' ? '' : `  ${line}`)),
    '})',
    '',
  ].join('\n')
}

/** Titles list at most this many events. */
const NAMED = 4

/** The problem with which the trace ends, in one sentence; without one, the system and its events. */
export function testTitle(trace: Pick<ReplayableTrace, 'header' | 'actors' | 'steps' | 'stimuli'>): string {
  const { header, stimuli } = trace
  const problem = explainEnd(trace)?.sentence.replace(/\.$/, '')
  if (problem !== undefined) return `${header.system}: ${problem}`
  const sent = stimuli.filter(({ kind }) => kind === 'external').map(({ event }) => typeOf(event))
  const types = [...new Set(sent)]
  const more = types.length > NAMED ? ', …' : ''
  return [header.system, types.slice(0, NAMED).join(', ') + more].filter(part => part !== '').join(': ')
}

class TestWriter {
  readonly #trace: ReplayableTrace
  readonly #options: TestOptions
  /** Steps by the stimulus that caused them. */
  readonly #steps = new Map<number, StepRecord[]>()
  /** The last asserted state of an actor. */
  readonly #known = new Map<number, string>()
  #now = 0

  constructor(trace: ReplayableTrace, options: TestOptions) {
    this.#trace = trace
    this.#options = options
    let turn = -1
    for (const step of trace.steps) {
      if (step.cause > turn && trace.stimuli[step.cause]?.anchor === undefined) turn = step.cause
      const steps = this.#steps.get(turn)
      if (steps) steps.push(step)
      else this.#steps.set(turn, [step])
    }
  }

  /** Events that effects send during steps; the stage needs them in advance. */
  atOnce(): string[] {
    const anchored = this.#trace.stimuli.filter(({ anchor }) => anchor)
    if (anchored.length === 0) return []
    return [
      '// Events that effects send when they start, or when they receive an event.',
      `const atOnce${this.#options.isUntyped ? '' : ': AtOnce[]'} = [`,
      ...anchored.map(
        one => `  ${this.#saying(() => immediateReplies(this.#trace, one), `input #${one.seq}`)},`,
      ),
      ']',
      '',
    ]
  }

  body(): string[] {
    const { header, tape, stimuli } = this.#trace
    const readings = () => {
      const list = tape.map(({ kind, value }) =>
        this.#saying(() => literal([kind, value], 4), `what ${kind} returned`),
      )
      const flat = `[${list.join(', ')}]`
      return flat.length <= 90 ? flat : `[\n    ${list.join(',\n    ')},\n  ]`
    }
    const settings = [
      ...(header.input === undefined
        ? []
        : [`input: ${this.#saying(() => literal(header.input, 2), 'the input')}`]),
      ...(stimuli.some(({ anchor }) => anchor) ? ['atOnce'] : []),
      ...(tape.length === 0 ? [] : [`readings: ${readings()}`]),
    ]
    const given = settings.length === 0 ? '' : `, { ${settings.join(', ')} }`
    return [
      `const stage = createStage(${this.#options.system.name}${given})`,
      'stage.start()',
      ...this.#states([-1]),
      ...this.#turns().flatMap(turn => this.#turn(turn)),
    ]
  }

  /** Timers that are due at the same time fire in one turn. */
  #turns(): Stimulus[][] {
    const turns: Stimulus[][] = []
    for (const stimulus of this.#trace.stimuli) {
      if (stimulus.anchor) continue
      const last = turns.at(-1)
      const before = last?.at(-1)
      const isSame = [before?.kind, stimulus.kind].every(kind => kind === 'timer')
      if (last && before && isSame && this.#timeOf(stimulus) <= this.#timeOf(before)) last.push(stimulus)
      else turns.push([stimulus])
    }
    return turns
  }

  #turn(turn: readonly Stimulus[]): string[] {
    const [first] = turn
    if (!first) return []
    const ms = Math.max(0, this.#timeOf(first) - this.#now)
    this.#now += ms
    const passes = `stage.advance(${ms})`
    const states = this.#states(turn.map(({ seq }) => seq))
    if (first.kind === 'timer') return [passes, ...states]
    const statements = this.#saying(() => repliesByTest(this.#trace, first), `input #${first.seq}`)
    return ['', ...(ms === 0 ? [] : [passes]), statements, ...states]
  }

  /** Recorded timers fire slightly late; on the stage they are due in whole milliseconds. */
  #timeOf({ seq, kind, t }: Stimulus): number {
    return this.#options.times?.get(seq) ?? (kind === 'timer' ? Math.ceil(t) : Math.floor(t))
  }

  #saying(write: () => string, what: string): string {
    try {
      return write()
    } catch (error) {
      if (error instanceof Unsayable)
        throw new ExportError(`${what} can't be expressed in a test: ${error.message}`)
      throw error
    }
  }

  /** The expected states of machines after a turn. */
  #states(turn: readonly number[]): string[] {
    const steps = turn.flatMap(seq => this.#steps.get(seq) ?? [])
    const last = new Map(steps.map(step => [step.actor, step]))
    return [...last.values()].flatMap(step => this.#expected(step))
  }

  #expected({ actor, value, status, context }: StepRecord): string[] {
    const path = this.#trace.actors[actor]?.path ?? ''
    const { only } = this.#options
    if (value === undefined || (only && !only.some(part => path.includes(part)))) return []
    const which = actor === 0 ? '' : literal(path)
    if (status === 'done' || status === 'error')
      return this.#known.delete(actor) ? [`expect(stage.actors()).not.toContain(${literal(path)})`] : []
    if (status !== 'active') return []
    // A machine without states changes only its context.
    const [what, is] = levelsOf(value).length > 0 ? ['state', value] : ['context', context]
    const expected = sayable(is, 2)
    if (expected === undefined || this.#known.get(actor) === expected) return []
    this.#known.set(actor, expected)
    return [`expect(stage.${what}(${which})).toEqual(${expected})`]
  }
}

type Actors = Pick<ReplayableTrace, 'actors'>

/** A stimulus that the test itself triggers. @throws Unsayable */
export function repliesByTest(trace: Actors, { kind, to, from, event }: Stimulus): string {
  if (kind === 'stop') return 'stage.stop()'
  if (kind === 'external') {
    const where = to === 0 ? '' : `, ${literal(pathOf(trace, to))}`
    return `stage.send(${literal(event, 2)}${where})`
  }
  const speaker = pathOf(trace, from)
  const receiver = isUsual(speaker, pathOf(trace, to), event) ? '' : `, ${literal(pathOf(trace, to))}`
  return `stage.answer(${literal(speaker)}, ${literal(answerOf(event), 2)}${receiver})`
}

/** An event that an effect sends during a step. @throws Unsayable */
function immediateReplies(trace: Actors, { kind, to, from, event, anchor, threw }: Stimulus): string {
  if (threw || kind !== 'leaf' || !anchor) throw new Unsayable('app code sends or throws it')
  const { phase, n } = anchor
  const place = pathOf(trace, anchor.in ?? from)
  const speaker = pathOf(trace, from)
  return literal(
    {
      in: place,
      ...(phase === 'start' && n === 0 ? {} : { when: [phase, n] }),
      answer: answerOf(event),
      ...(isUsual(speaker, pathOf(trace, to), event) ? {} : { to: pathOf(trace, to) }),
      ...(speaker === place ? {} : { from: speaker }),
    },
    2,
  )
}

/** The type of an event, if it has one. */
const typeOf = (event: unknown): string =>
  typeof event === 'object' && event !== null && 'type' in event ? String(event.type) : ''

const pathOf = ({ actors }: Actors, actor: number | undefined): string => actors[actor ?? -1]?.path ?? ''

/** Callbacks send to their parent, promises and observables to themselves. */
function isUsual(from: string, to: string, event: unknown): boolean {
  const tellsItself = /^xstate\.(promise|observable)\./.test(typeOf(event))
  return to === (tellsItself ? from : from.slice(0, from.lastIndexOf('/')))
}

/** How `stage.answer` names what an effect reports, by the type of its event. */
export const ANSWER_FORMS: ReadonlyMap<unknown, string> = new Map([
  ['xstate.promise.resolve', 'resolves'],
  ['xstate.promise.reject', 'rejects'],
  ['xstate.observable.next', 'next'],
  ['xstate.observable.error', 'fails'],
])

function answerOf(event: unknown): unknown {
  const type = typeOf(event)
  if (type === 'xstate.observable.complete') return 'completes'
  const form = ANSWER_FORMS.get(type)
  return form === undefined ? event : { [form]: (event as { readonly data?: unknown }).data }
}
