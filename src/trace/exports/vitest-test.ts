// A trace as a test for Vitest: what was sent and answered, how much time passed, and the states on the way.
import type { ReplayableTrace, Stimulus, ViewRecord } from '../format.ts'
import { ExportError } from './export-error.ts'
import { literal, sayable, Unsayable } from './literal.ts'
import { levelsOf } from './run-words.ts'
import { saidAtOnce, saidByTest, typeOf } from './vitest-said.ts'

export interface TestOptions {
  /** What the test is called; the system and what it is sent unless told. */
  readonly title?: string
  /** Import of the system, and how it is called after that. */
  readonly system: { readonly import: string; readonly name: string }
  /** Only of actors whose path holds this are states expected; of all unless told. */
  readonly only?: readonly string[]
  /** Whole milliseconds at which a stimulus comes, by its number; when it was recorded unless told. */
  readonly times?: ReadonlyMap<number, number>
  /** Leaves types out: the file is to be JavaScript. */
  readonly isUntyped?: boolean
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
    `import { createStage${atOnce.length === 0 || options.isUntyped ? '' : ', type AtOnce'} } from 'chartroom/vitest'`,
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
  /** What is expected of an actor so far. */
  readonly #known = new Map<number, string>()
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
      `const atOnce${this.#options.isUntyped ? '' : ': AtOnce[]'} = [`,
      ...anchored.map(one => `  ${this.#saying(() => saidAtOnce(this.#trace, one), one)},`),
      ']',
      '',
    ]
  }

  body(): string[] {
    const { header, tape, stimuli } = this.#trace
    const readings = () =>
      literal(
        tape.map(({ kind, value }) => [kind, value]),
        2,
      )
    const settings = [
      ...(header.input === undefined ? [] : [`input: ${literal(header.input, 2)}`]),
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

  /** Timers that are due at the same moment fire in one turn. */
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
    const said = this.#saying(() => saidByTest(this.#trace, first), first)
    return ['', ...(ms === 0 ? [] : [passes]), said, ...states]
  }

  /** Timers fire a little late; on the stage they are due in whole milliseconds. */
  #timeOf({ seq, kind, t }: Stimulus): number {
    return this.#options.times?.get(seq) ?? (kind === 'timer' ? Math.ceil(t) : Math.floor(t))
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

  /** What is to be expected of machines after a turn. */
  #states(turn: readonly number[]): string[] {
    const views = turn.flatMap(seq => this.#views.get(seq) ?? [])
    const last = new Map(views.map(view => [view.actor, view]))
    return [...last.values()].flatMap(view => this.#expected(view))
  }

  #expected({ actor, value, status, context }: ViewRecord): string[] {
    const path = this.#trace.actors[actor]?.path ?? ''
    const { only } = this.#options
    if (value === undefined || (only && !only.some(part => path.includes(part)))) return []
    const which = actor === 0 ? '' : literal(path)
    if (status === 'done' || status === 'error')
      return this.#known.delete(actor) ? [`expect(stage.actors()).not.toContain(${literal(path)})`] : []
    if (status !== 'active') return []
    // A machine without states shows what it does in its context alone.
    const [what, is] = levelsOf(value).length > 0 ? ['state', value] : ['context', context]
    const expected = sayable(is, 2)
    if (expected === undefined || this.#known.get(actor) === expected) return []
    this.#known.set(actor, expected)
    return [`expect(stage.${what}(${which})).toEqual(${expected})`]
  }
}
