// Text on a chart: lines of arrow labels and of internal transitions, and rows in states.
import type { ChartState, ChartTransition } from '../../../trace/index.ts'

/** A line on an arrow (an event, a guarded event, or the guard of the line above) or in a state. */
export interface EdgeLine {
  readonly text: string
  readonly kind: 'event' | 'guarded' | 'guard' | 'more' | 'own'
  /** Names of the transitions it represents. */
  readonly names: readonly string[]
  /** In a state: whether it contains a delay. */
  readonly timed?: true
}

/** A row in a state: its description, actions, invoked actors, tags, or internal transitions. */
export interface StateRow {
  readonly kind: 'words' | 'entry' | 'exit' | 'runs' | 'tags' | 'inner'
  /** Faint label before the text. */
  readonly label: string
  readonly text: string
}

/** How much detail states show. */
export type Detail = 'brief' | 'full'

const WORDS_WIDTH = 36
const WORDS_LINES = 3
const INNER_LINES = 5
const LONG = 40

/** Formats an event descriptor for readers. */
export function eventText({ event }: { readonly event: string }): string {
  const [word = '', ...rest] = event.split(' ')
  const name = rest.join(' ')
  if (word === 'after' && name !== '')
    return `after ${/^\d+$/.test(name) ? durationText(Number(name)) : name}`
  if (word === 'done' && name !== '') return `${name} done`
  if (word === 'error' && name !== '') return `${name} failed`
  if (word === 'snapshot' && name !== '') return `${name} snapshot`
  return event
}

/** Formats `800 ms`, `1.5 s`, `2 min`, `1.5 h`. */
export function durationText(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`
  const units = [
    [3_600_000, 'h'],
    [60_000, 'min'],
    [1000, 's'],
  ] as const
  const [size, unit] = units.find(([from]) => ms >= from) ?? [1000, 's']
  return `${Number((ms / size).toFixed(1))} ${unit}`
}

/** Whether the user can send such an event: not one that XState creates, and not a pattern. */
export function isSendable(event: string): boolean {
  return event !== 'done' && !event.includes('*') && !/^(after|always|done|error|snapshot)( |$)/.test(event)
}

/** Returns the rows of a state below its name. */
export function stateRows(state: ChartState, detail: Detail): readonly StateRow[] {
  const runs = state.invoke.map((invoke): StateRow => row('runs', 'runs', invoke.src))
  if (detail === 'brief') return runs
  return [
    ...wrapped(state.description).map((text): StateRow => row('words', '', text)),
    ...listed('entry', 'entry', state.entry),
    ...listed('exit', 'exit', state.exit),
    ...runs,
    ...listed('tags', 'tags', state.tags),
    ...innerRows(state.transitions),
  ]
}

const row = (kind: StateRow['kind'], label: string, text: string): StateRow => ({
  kind,
  label,
  text: cut(text),
})

const listed = (kind: StateRow['kind'], label: string, names: readonly string[]): readonly StateRow[] =>
  names.length === 0 ? [] : [row(kind, label, names.join(', '))]

/** Internal transitions. */
function innerRows(transitions: readonly ChartTransition[]): readonly StateRow[] {
  const inner = transitions.filter(({ targets }) => targets.length === 0)
  const shown = inner.length <= INNER_LINES ? inner : inner.slice(0, INNER_LINES - 1)
  const rows = shown.map(transition => row('inner', 'on', innerText(transition)))
  const left = inner.length - shown.length
  return left === 0 ? rows : [...rows, row('inner', '', `+${left} more handled here`)]
}

function innerText(transition: ChartTransition): string {
  const { guard, actions } = transition
  const then = actions.length > 0 ? ` / ${actions.join(', ')}` : ''
  return `${eventText(transition)}${guard === undefined ? '' : ` [${guard}]`}${then}`
}

const cut = (text: string): string => (text.length <= LONG ? text : `${text.slice(0, LONG - 1)}…`)

/** Wraps a text to lines of limited width and cuts the last one. */
function wrapped(text = '', width = WORDS_WIDTH, most = WORDS_LINES): readonly string[] {
  const lines: string[] = []
  for (const word of text.split(/\s+/).filter(Boolean)) {
    const line = lines.at(-1)
    if (line !== undefined && line.length + word.length < width) lines[lines.length - 1] = `${line} ${word}`
    else lines.push(word)
  }
  if (lines.length <= most) return lines
  return [...lines.slice(0, most - 1), `${lines[most - 1]} …`]
}

/** A transition collected for drawing. */
export interface Found {
  /** `path#n`. */
  readonly name: string
  readonly event: string
  readonly guard: string | undefined
}

/** Maximum lines of a label: events only, or with their guards. */
const LABEL_LINES = { brief: 2, full: 4 } as const
const OWN_LINES = { brief: 3, full: 8 } as const
const LONG_LINE = 16

/** Formats `event [guard]`, used where there is room. */
export const transitionText = ({ event, guard }: Found): string =>
  guard === undefined ? event : `${event} [${guard}]`

/** Returns the lines of an arrow's label; a long list is cut and counted. */
export function edgeLines(found: readonly Found[], detail: Detail): readonly EdgeLine[] {
  const textOf = detail === 'brief' ? shortText : transitionText
  const groups = [...Map.groupBy(found, textOf).values()]
  const most = LABEL_LINES[detail]
  const shown = groups.length <= most ? groups : groups.slice(0, most - 1)
  const rest = groups.slice(shown.length).flat()
  return [...shown.flatMap(group => (detail === 'brief' ? brief(group) : broken(group))), ...more(rest)]
}

function brief(group: readonly Found[]): readonly EdgeLine[] {
  const [first] = group
  if (!first) return []
  const isGuarded = group.every(({ guard }) => guard !== undefined)
  return [line(shortText(first), isGuarded ? 'guarded' : 'event', group)]
}

/** Returns the event alone; for an eventless transition, its guard. */
function shortText({ event, guard }: Found): string {
  return event === 'always' && guard !== undefined ? `[${guard}]` : eventText({ event })
}

const line = (text: string, kind: EdgeLine['kind'], group: readonly Found[]): EdgeLine => ({
  text,
  kind,
  names: group.map(({ name }) => name),
})

/** Returns what a line adds after this transition was taken: the guard that passed, unless already shown. */
export function guardTaken(
  { names, texts }: { readonly names: readonly string[]; readonly texts: readonly string[] },
  { text, kind }: EdgeLine,
  taken: string,
): string {
  const label = texts[names.indexOf(taken)] ?? ''
  const guard = label.includes(' [') && label.endsWith(']') ? label.slice(label.indexOf(' [')) : ''
  return text.includes('[') || kind === 'more' ? '' : guard
}

const more = (rest: readonly Found[]): readonly EdgeLine[] =>
  rest.length === 0
    ? []
    : [line(`+${new Set(rest.map(({ event, guard }) => `${event} ${guard}`)).size} more`, 'more', rest)]

/** Splits a long text into two lines with the guard on the second, because charts lack width. */
function broken(group: readonly Found[]): readonly EdgeLine[] {
  const [first] = group
  if (!first) return []
  const event = eventText(first)
  if (first.guard === undefined) return [line(event, 'event', group)]
  const whole = `${event} [${first.guard}]`
  if (whole.length <= LONG_LINE) return [line(whole, 'event', group)]
  return [line(event, 'event', group), line(`[${first.guard}]`, 'guard', group)]
}

/** An internal transition, with its target within the state; '' for the state itself. */
export interface OwnFound extends Found {
  readonly leads: string
}

/** Returns the lines in a state: `↻ event` reenters it, `event → key` targets a child. */
export function ownLines(found: readonly OwnFound[], detail: Detail): readonly EdgeLine[] {
  const groups = [...Map.groupBy(found, ({ leads }) => leads)]
  const all = groups.map(([leads, group]) => ownLine(leads, group, detail))
  const most = OWN_LINES[detail]
  if (all.length <= most) return all
  const rest = all.slice(most - 1)
  return [
    ...all.slice(0, most - 1),
    { text: `+${rest.length} more`, kind: 'more', names: rest.flatMap(({ names }) => names) },
  ]
}

function ownLine(leads: string, group: readonly OwnFound[], detail: Detail): EdgeLine {
  const texts = [
    ...new Set(
      group.map(one =>
        detail === 'full' && one.guard !== undefined ? `${eventText(one)} [${one.guard}]` : shortText(one),
      ),
    ),
  ]
  const events = texts.length <= 2 ? texts.join(', ') : `${texts[0] ?? ''}, +${texts.length - 1}`
  const own = line(leads === '' ? `↻ ${events}` : `${events} → ${leads}`, 'own', group)
  return group.some(({ event }) => event.startsWith('after ')) ? { ...own, timed: true } : own
}
