// Text lines of an arrow's label and of internal transitions.
import { eventText, type Detail, type EdgeLine } from './chart-text.ts'

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
