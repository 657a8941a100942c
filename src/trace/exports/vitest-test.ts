// A trace as a test for Vitest: what was sent and answered, how much time passed, and the states on the way.
import type { ReplayableTrace, StateValue, Stimulus, ViewRecord } from '../format.ts'
import { ExportError } from './export-error.ts'
import { literal, Unsayable } from './literal.ts'

export interface TestOptions {
  /** What the test is called; the system and what it is sent unless told. */
  readonly title?: string
  /** Import of the system, and how it is called after that. */
  readonly system: { readonly import: string; readonly name: string }
  /** Only of actors whose path holds this are states expected; of all unless told. */
  readonly only?: readonly string[]
}

/**
 * Writes the test. It uses `createStage` of `chartroom/vitest`: the code of effects does not run in it.
 * @throws ExportError when the trace holds what no test can say
 */
export function vitestTest(trace: ReplayableTrace, options: TestOptions): string {
  if (trace.keyframes[0]?.at === 0)
    throw new ExportError('it begins in the midst of a run; a test begins at the start of a system')
  const writer = new TestWriter(trace, options)
  const [atOnce, body] = [writer.atOnce(), writer.body()]
  return [
    '// What a trace recorded, as a test: change what it expects to what you want, and keep it.',
    `import { createStage${atOnce.length === 0 ? '' : ', type AtOnce'} } from 'chartroom/vitest'`,
    "import { expect, test } from 'vitest'",
    options.system.import,
    '',
    ...atOnce,
    `test(${literal(options.title ?? titleOf(trace))}, () => {`,
    ...body.map(line => (line === '' ? '' : `  ${line}`)),
    '})',
    '',
  ].join('\n')
}

/** Titles name so many events. */
const NAMED = 4

function titleOf({ header, stimuli }: ReplayableTrace): string {
  const sent = stimuli.filter(({ kind }) => kind === 'external').map(({ event }) => typeOf(event))
  const types = [...new Set(sent)]
  const more = types.length > NAMED ? ', …' : ''
  return [header.system, types.slice(0, NAMED).join(', ') + more].filter(part => part !== '').join(': ')
}

class TestWriter {
  readonly #trace: ReplayableTrace
  readonly #options: TestOptions
  /** Views by the stimulus that set them off. */
  readonly #views = new Map<number, ViewRecord[]>()
  readonly #known = new Map<number, StateValue>()
  #now = 0

  constructor(trace: ReplayableTrace, options: TestOptions) {
    this.#trace = trace
    this.#options = options
    let turn = -1
    for (const view of trace.views) {
      if (view.cause > turn && trace.stimuli[view.cause]?.anchor === undefined) turn = view.cause
      const views = this.#views.get(turn)
      if (views) views.push(view)
      else this.#views.set(turn, [view])
    }
  }

  /** What effects said in the midst of steps, which has to be known before. */
  atOnce(): string[] {
    const anchored = this.#trace.stimuli.filter(({ anchor }) => anchor)
    if (anchored.length === 0) return []
    return [
      '// What effects say as they start, or as they are told something.',
      `const atOnce: AtOnce[] = [`,
      ...anchored.map(stimulus => `  ${this.#saying(() => this.#anchored(stimulus), stimulus)},`),
      ']',
      '',
    ]
  }

  body(): string[] {
    const { header, tape, stimuli } = this.#trace
    const settings = [
      ...(header.input === undefined ? [] : [`input: ${literal(header.input, 2)}`]),
      ...(stimuli.some(({ anchor }) => anchor) ? ['atOnce'] : []),
      ...(tape.length === 0
        ? []
        : [
            `readings: ${literal(
              tape.map(({ kind, value }) => [kind, value]),
              2,
            )}`,
          ]),
    ]
    const given = settings.length === 0 ? '' : `, { ${settings.join(', ')} }`
    return [
      `const stage = createStage(${this.#options.system.name}${given})`,
      'stage.start()',
      ...this.#states(-1),
      ...stimuli.filter(({ anchor }) => !anchor).flatMap(stimulus => this.#turn(stimulus)),
    ]
  }

  #turn(stimulus: Stimulus): string[] {
    const states = this.#states(stimulus.seq)
    if (stimulus.kind === 'timer') return [...this.#passTime(stimulus.t, true), ...states]
    const said = this.#saying(() => this.#said(stimulus), stimulus)
    return ['', ...this.#passTime(stimulus.t, false), said, ...states]
  }

  /** Timers fire a little late; on the stage they are due in whole milliseconds. */
  #passTime(t: number, isDue: boolean): string[] {
    const ms = (isDue ? Math.ceil(t) : Math.floor(t)) - this.#now
    if (ms <= 0) return []
    this.#now += ms
    return [`stage.advance(${ms})`]
  }

  #said({ kind, to, from, event }: Stimulus): string {
    if (kind === 'stop') return 'stage.stop()'
    if (kind === 'external') {
      const where = to === 0 ? '' : `, ${literal(this.#path(to))}`
      return `stage.send(${literal(event, 2)}${where})`
    }
    const speaker = this.#path(from)
    const heard = isUsual(speaker, this.#path(to), event) ? '' : `, ${literal(this.#path(to))}`
    return `stage.answer(${literal(speaker)}, ${literal(answerOf(event), 2)}${heard})`
  }

  #anchored({ kind, to, from, event, anchor, threw }: Stimulus): string {
    if (threw || kind !== 'leaf' || !anchor) throw new Unsayable('code of the app sends or throws it')
    const { phase, n } = anchor
    const place = this.#path(anchor.in ?? from)
    const speaker = this.#path(from)
    return literal(
      {
        in: place,
        ...(phase === 'start' && n === 0 ? {} : { when: [phase, n] }),
        says: answerOf(event),
        ...(isUsual(speaker, this.#path(to), event) ? {} : { to: this.#path(to) }),
        ...(speaker === place ? {} : { from: speaker }),
      },
      2,
    )
  }

  #saying(write: () => string, { seq }: Stimulus): string {
    try {
      return write()
    } catch (error) {
      if (error instanceof Unsayable)
        throw new ExportError(`stimulus #${seq} can't be said in a test: ${error.message}`)
      throw error
    }
  }

  /** The states of machines that are others after this turn. */
  #states(turn: number): string[] {
    const last = new Map((this.#views.get(turn) ?? []).map(view => [view.actor, view]))
    return [...last].flatMap(([actor, { value, status }]) => {
      if (value === undefined || status !== 'active') return []
      if (literal(this.#known.get(actor)) === literal(value)) return []
      this.#known.set(actor, value)
      const path = this.#path(actor)
      const { only } = this.#options
      if (only && !only.some(part => path.includes(part))) return []
      return [`expect(stage.state(${actor === 0 ? '' : literal(path)})).toEqual(${literal(value, 2)})`]
    })
  }

  #path(actor: number | undefined): string {
    return this.#trace.actors[actor ?? -1]?.path ?? ''
  }
}

const typeOf = (event: unknown): string =>
  typeof event === 'object' && event !== null && 'type' in event ? String(event.type) : ''

/** Callbacks tell their parent, promises and observables themselves. */
function isUsual(from: string, to: string, event: unknown): boolean {
  const tellsItself = /^xstate\.(promise|observable)\./.test(typeOf(event))
  return to === (tellsItself ? from : from.slice(0, from.lastIndexOf('/')))
}

const FORMS: Readonly<Record<string, string>> = {
  'xstate.promise.resolve': 'resolves',
  'xstate.promise.reject': 'rejects',
  'xstate.observable.next': 'next',
  'xstate.observable.error': 'fails',
}

function answerOf(event: unknown): unknown {
  const type = typeOf(event)
  if (type === 'xstate.observable.complete') return 'completes'
  const form = FORMS[type]
  return form === undefined ? event : { [form]: (event as { readonly data?: unknown }).data }
}
