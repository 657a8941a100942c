// Writes a test that plays a recording: what the app sent, what effects answered, and the states that followed.
// Ids, times and what the system did without input stay in the recording.
import {
  activePaths,
  ANSWER_FORMS,
  ExportError,
  isPlain,
  jsComment,
  leafPaths,
  literal,
  type ReplayableTrace,
  stateLabel,
  type StepRecord,
  type Stimulus,
  type TestOptions,
  testTitle,
  vitestTest,
} from '../../../trace/index.ts'

/** Options of `recordedTest`. */
export interface RecordedTestOptions extends Pick<TestOptions, 'title' | 'system' | 'only'> {
  /** Path of the recording relative to the test. */
  readonly recording: string
}

/** Maximum number of listed states at the end. */
const MOST_ACTORS = 10
/** Lines of a test that people read, and those around its body. */
const MOST_LINES = 80
const FRAME = 11
const WIDTH = 106

/** A test file, and whether it plays the recording, which then belongs next to it. */
export interface WrittenTest {
  readonly text: string
  readonly playsRecording: boolean
}

/**
 * Writes a Vitest test of a recording with its steps: one that needs nothing else, unless it would have more than
 * 80 lines or needs values that source code can't express; then it plays the recording.
 */
export function writeTest(trace: ReplayableTrace, options: RecordedTestOptions & TestOptions): WrittenTest {
  try {
    const text = vitestTest(trace, options)
    if (text.split('\n').length <= MOST_LINES) return { text, playsRecording: false }
  } catch (error) {
    if (!(error instanceof ExportError)) throw error
  }
  return { text: recordedTest(trace, options), playsRecording: true }
}

/** Writes a Vitest test that plays a recording with its steps on a stage, as `recordedStage` does. */
export function recordedTest(trace: ReplayableTrace, options: RecordedTestOptions): string {
  const { title, system, recording } = options
  const body = new StoryWriter(trace, options.only).body()
  const isExpecting = body.some(line => line.startsWith('expect('))
  const url = `new URL(${literal(recording)}, import.meta.url)`
  return [
    jsComment(
      `Generated from a recording, ${recording}, which has the exact values; commit both. Each line continues to the`,
    ),
    jsComment(
      'next place in the recording that fits: change what you expect, and remove what is irrelevant.',
    ),
    "import { recordedStage } from '@chartroom/devtools/vitest'",
    `import { ${isExpecting ? 'expect, ' : ''}test } from 'vitest'`,
    system.import,
    '',
    `test(${literal(title ?? testTitle(trace))}, async () => {`,
    `  const stage = await recordedStage(${url}, ${system.name})`,
    ...body.map(line => (line === '' ? '' : `  ${line}`)),
    '})',
    '',
  ].join('\n')
}

/** A stimulus between two steps, and the steps that it caused. */
interface Turn {
  readonly stimulus: Stimulus | undefined
  readonly steps: readonly StepRecord[]
}

function turnsOf({ stimuli, steps }: ReplayableTrace): Turn[] {
  const begins = [undefined, ...stimuli.filter(({ anchor }) => !anchor)]
  let at = 0
  return begins.map((stimulus, index) => {
    const next = begins[index + 1]?.seq ?? Number.POSITIVE_INFINITY
    const from = at
    while ((steps[at]?.cause ?? next) < next) at += 1
    return { stimulus, steps: steps.slice(from, at) }
  })
}

/** Lines of the test that belong together: an event of the app or an answer, and the states that follow. */
interface Passage {
  readonly line: string | undefined
  /** Whether the app caused it. */
  readonly isOfApp: boolean
  readonly states: string[]
}

class StoryWriter {
  readonly #trace: ReplayableTrace
  readonly #turns: readonly Turn[]
  readonly #shown: ReadonlySet<number>
  /** The last step of each shown actor, and those asserted last. */
  readonly #last = new Map<number, StepRecord>()
  readonly #told = new Map<number, StepRecord>()

  constructor(trace: ReplayableTrace, only: readonly string[] | undefined) {
    this.#trace = trace
    this.#turns = turnsOf(trace)
    this.#shown = shownActors(trace, this.#turns, only)
  }

  body(): string[] {
    const passages: Passage[] = []
    for (const turn of this.#turns) {
      const moved = this.#follow(turn.steps)
      const line = turn.stimulus && this.#lineOf(turn.stimulus, moved)
      const passage = { line, isOfApp: turn.stimulus?.kind === 'external', states: [] }
      const { kind } = turn.stimulus ?? {}
      if (line !== undefined || passages.length === 0 || (kind === 'timer' && moved)) passages.push(passage)
      passages.at(-1)?.states.push(...this.#reached())
    }
    const end = this.#end()
    const room = MOST_LINES - FRAME - end.join('\n').split('\n').length
    return [...linesOf(shortened(passages, room)), '', 'stage.finish()', ...end]
  }

  /** Takes the steps of a turn; whether a shown actor has another state. */
  #follow(steps: readonly StepRecord[]): boolean {
    let moved = false
    for (const step of steps) {
      if (!this.#shown.has(step.actor)) continue
      const before = this.#last.get(step.actor)
      // A parent may stop an actor that is done.
      if (before?.status === 'done' && step.status === 'stopped') continue
      moved ||= hasMoved(step, before)
      this.#last.set(step.actor, step)
    }
    return moved
  }

  /** What the app sends; what effects answer, if it has content or a consequence. */
  #lineOf({ kind, to, from, event }: Stimulus, moved: boolean): string | undefined {
    if (kind === 'external') {
      const where = to === 0 ? '' : `, ${this.#name(to)}`
      return `stage.send(${gistOf(event, WIDTH - where.length)}${where})`
    }
    if (kind !== 'leaf' || !(moved || (this.#shown.has(to) && hasText(event)))) return undefined
    const start = `stage.answer(${this.#name(from ?? to)}, `
    return `${start}${answerText(event, WIDTH - start.length)})`
  }

  /** The states that shown actors have reached since the last call. */
  #reached(): string[] {
    return [...this.#last].flatMap(([actor, step]) => {
      const told = this.#told.get(actor)
      if (told === step) return []
      this.#told.set(actor, step)
      const name = this.#name(actor)
      if (told && told.status !== 'active') return []
      if (step.status === 'done' || step.status === 'error')
        return [`stage.reach(${name}, ${literal(step.status)})`]
      const fresh = freshStates(step, told)
      if (fresh.length > 0)
        return [`stage.reach(${[name, ...fresh.map(state => literal(state))].join(', ')})`]
      return told && stateLabel(step.value) === '' ? this.#contextOf(actor, step, told) : []
    })
  }

  /** A machine without states changes only its context. */
  #contextOf(actor: number, step: StepRecord, told: StepRecord): string[] {
    const start = `expect(stage.context(${actor === 0 ? '' : this.#name(actor)}))`
    const [text, before] = [step, told].map(({ context }) => gistOf(context, WIDTH - start.length - 15))
    return text === '{}' || text === before ? [] : [`${start}.toMatchObject(${text})`]
  }

  /** The shortest end of an actor's path that no other actor's path has. */
  #name(actor: number): string {
    const { actors } = this.#trace
    const parts = (actors[actor]?.path ?? '').split('/')
    const ends = parts.map((_, at) => parts.slice(parts.length - 1 - at).join('/'))
    const isUnique = (end: string) => actors.filter(({ path }) => `/${path}`.endsWith(`/${end}`)).length === 1
    return literal(ends.find(isUnique) ?? parts.join('/'))
  }

  /** The states at the end. */
  #end(): string[] {
    const running = [...this.#last].flatMap(([actor, { status, value }]) =>
      status === 'active' && stateLabel(value) !== ''
        ? [[this.#trace.actors[actor]?.path ?? '', stateLabel(value)] as const]
        : [],
    )
    if (running.length === 0) return []
    const states = Object.fromEntries(running.slice(0, MOST_ACTORS))
    return [`expect(stage.states()).toMatchObject(${literal(states, 2)})`]
  }
}

/**
 * The machines that the app deals with: those that changed state by what it sent, and the root. All machines,
 * if it sent nothing.
 */
function shownActors(
  { actors }: ReplayableTrace,
  turns: readonly Turn[],
  only: readonly string[] | undefined,
): ReadonlySet<number> {
  const machines = actors.filter(
    ({ kind, path }) => kind === 'machine' && (!only || only.some(part => path.includes(part))),
  )
  const involved = new Set([0])
  const last = new Map<number, StepRecord>()
  for (const { stimulus, steps } of turns)
    for (const step of steps) {
      if (stimulus?.kind === 'external' && hasMoved(step, last.get(step.actor))) involved.add(step.actor)
      last.set(step.actor, step)
    }
  const isAll = !turns.some(({ stimulus }) => stimulus?.kind === 'external')
  return new Set(machines.flatMap(({ index }) => (isAll || involved.has(index) ? [index] : [])))
}

/** Whether a step changed its actor's state; for a machine without states, its context. */
function hasMoved(step: StepRecord, before: StepRecord | undefined): boolean {
  const label = stateLabel(step.value)
  return step.status !== before?.status || (label === '' ? step.changed : label !== stateLabel(before.value))
}

/** Of each part of a machine that has other states than before, the first state: two parts at most. */
function freshStates({ value }: StepRecord, before: StepRecord | undefined): string[] {
  const known = before ? activePaths(before.value) : []
  const fresh = activePaths(value).filter(path => !known.includes(path))
  const tops = fresh.filter(path => !fresh.some(other => path.startsWith(`${other}.`)))
  const first = tops.flatMap(
    top => leafPaths(value).find(leaf => leaf === top || leaf.startsWith(`${top}.`)) ?? [],
  )
  return first.slice(0, before ? 2 : 1)
}

/** Keeps a long test readable: first without the states between, then without the answers. */
function shortened(passages: readonly Passage[], room: number): readonly Passage[] {
  const joined = withoutRepeats(passages)
  if (linesOf(joined).length <= room) return joined
  const plain = joined.map(passage => (passage.isOfApp ? passage : { ...passage, states: [] }))
  if (linesOf(plain).length <= room) return plain
  const ofApp = plain.filter(({ isOfApp }) => isOfApp).map(passage => ({ ...passage, states: [] }))
  return ofApp.slice(0, Math.floor(room / 2))
}

/** Of many answers of the same kind in a row, the first and the last. */
function withoutRepeats(passages: readonly Passage[]): Passage[] {
  const kind = (passage: Passage | undefined) =>
    passage?.isOfApp || passage?.states.length !== 0
      ? undefined
      : /^[^{]*\{ type: '[^']*'/.exec(passage.line ?? '')?.[0]
  return passages.filter((passage, at) => {
    const own = kind(passage)
    return own === undefined || kind(passages[at - 1]) !== own || kind(passages[at + 1]) !== own
  })
}

/** Each event of the app begins a paragraph. */
function linesOf(passages: readonly Passage[]): string[] {
  const lines = passages.flatMap(({ line, isOfApp, states }) => [
    ...(isOfApp ? [''] : []),
    ...(line === undefined ? [] : [line]),
    ...states,
  ])
  return lines[0] === '' ? lines.slice(1) : lines
}

/** An answer as `stage.answer` takes it, with the parts that a reader recognizes. */
function answerText(event: unknown, width: number): string {
  const { type, data } = event as { readonly type?: string; readonly data?: unknown }
  if (type === 'xstate.observable.complete') return "'completes'"
  const form = ANSWER_FORMS.get(type)
  return form === undefined ? gistOf(event, width) : `{ ${form}: ${gistOf(data, width - form.length - 6)} }`
}

/** Names of values that differ in each recording, or mean nothing to a reader. */
const VOLATILE =
  /^(?:id|ids|token|handle|hash|key|nonce|seed|secret|signature|digest|bytes)$|(?:Id|Ids|Token|Key|_id|_key)$/
/** Names of times, which are numbers. */
const TIME = /^(?:t|at|time|timestamp|since)$|(?:At|Time|Since|_at)$/
/** Ids, tokens, encoded data and times. */
const OPAQUE = /^[\w+/=-]{24,}$|^[0-9a-f]{8}-[0-9a-f]{4}-|^eyJ|^\d{4}-\d\d-\d\dT|^\[redacted:|\n/
const LONGEST_TEXT = 60
const DEEPEST = 3

/** The recognizable parts of a value as source code in one line; of an object those that fit. */
function gistOf(value: unknown, width: number): string {
  if (value instanceof Error) return `new Error(${literal(value.message)})`
  if (Array.isArray(value)) return isTelling(value[0]) ? `[${literal(value[0])}]` : '[]'
  if (!isObject(value)) return isTelling(value) ? literal(value) : 'undefined'
  let text = '{}'
  const kept: [readonly string[], unknown][] = []
  for (const leaf of leavesOf(value, [])) {
    const longer = literal(nested([...kept, leaf]), -1000)
    if (longer.length > width) continue
    kept.push(leaf)
    text = longer
  }
  return text
}

const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && isPlain(value)

const isTelling = (value: unknown): boolean =>
  typeof value === 'string'
    ? value.length <= LONGEST_TEXT && !OPAQUE.test(value)
    : typeof value === 'boolean' || value === null || (typeof value === 'number' && Math.abs(value) < 1e6)

/** The telling values in an object with their paths; a type comes first. */
function leavesOf(value: object, above: readonly string[]): [readonly string[], unknown][] {
  const entries = Object.entries(value).sort(([a], [b]) => Number(b === 'type') - Number(a === 'type'))
  return entries.flatMap(([key, item]): [readonly string[], unknown][] => {
    const path = [...above, key]
    if (VOLATILE.test(key) || (TIME.test(key) && typeof item === 'number' && item >= 100)) return []
    if (isTelling(item)) return [[path, item]]
    return isObject(item) && path.length < DEEPEST ? leavesOf(item, path) : []
  })
}

/** An object of these leaves. Without a prototype, since a key may be `__proto__`. */
function nested(leaves: readonly (readonly [readonly string[], unknown])[]): object {
  const empty = () => Object.create(null) as Record<string, unknown>
  const root = empty()
  for (const [path, value] of leaves) {
    let at = root
    for (const key of path.slice(0, -1)) at = (at[key] ??= empty()) as Record<string, unknown>
    at[path.at(-1) ?? ''] = value
  }
  return root
}

/** Whether an event has a text other than its type. */
function hasText(event: unknown): boolean {
  return (isObject(event) ? leavesOf(event, []) : []).some(
    ([path, value]) => path.join('.') !== 'type' && typeof value === 'string',
  )
}
