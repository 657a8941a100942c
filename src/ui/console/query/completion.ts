// Completions at the caret of a query: keys, and the trace's actors, types and states.
import { FLAG_WORDS, KEY_HELP, shortPath, type Timeline } from '../../../trace/index.ts'

export interface Offer {
  /** The text that replaces the word. */
  readonly text: string
  /** A short description. */
  readonly help: string
}

export interface Completion {
  /** Word at the caret: from `from` up to, but excluding, `to`. */
  readonly from: number
  readonly to: number
  readonly offers: readonly Offer[]
}

const MOST = 8
const PAST = 4
/** Maximum actors to search: the latest ones. */
const ACTORS = 4000

const FLAG_HELP: Readonly<Record<string, string>> = {
  noop: 'changed nothing',
  failed: 'failed',
  injected: 'caused by an injected fault',
  moved: 'changed state',
  lost: 'its line was damaged',
  bookmarked: 'has a note',
}

/** Returns completions for the word at the caret. */
export function complete(text: string, caret: number, timeline: Timeline): Completion {
  const from = text.lastIndexOf(' ', caret - 1) + 1
  const space = text.indexOf(' ', caret)
  const to = space < 0 ? text.length : space
  const minus = text[from] === '-' ? '-' : ''
  const word = text.slice(from + minus.length, to)
  const colon = word.indexOf(':')
  const offers =
    colon < 0 ? keyOffers(word) : valueOffers(word.slice(0, colon), word.slice(colon + 1), timeline)
  return { from, to, offers: offers.map(offer => ({ ...offer, text: minus + offer.text })) }
}

/** Returns completions for an empty field: recent queries, then the keys. */
export function beginnings(past: readonly string[]): Completion {
  const known = past.slice(0, PAST).map(text => ({ text, help: 'recent query' }))
  return { from: 0, to: 0, offers: [...known, ...keyOffers('')].slice(0, MOST) }
}

function keyOffers(word: string): readonly Offer[] {
  const keys = Object.entries(KEY_HELP).map(([key, help]) => ({ text: `${key}:`, help }))
  const flags = FLAG_WORDS.map(text => ({ text, help: FLAG_HELP[text] ?? '' }))
  const compared = [
    { text: 'dur>', help: 'duration of the state, as dur>500ms' },
    { text: 'at>', help: 'time of the event, as at>2s' },
  ]
  const all = [...keys, ...flags, ...compared]
  return all.filter(({ text }) => text.startsWith(word.toLowerCase()) && text !== word).slice(0, MOST)
}

function valueOffers(key: string, value: string, timeline: Timeline): readonly Offer[] {
  const comma = value.lastIndexOf(',') + 1
  const [kept, wanted] = [value.slice(0, comma), value.slice(comma).toLowerCase()]
  const names = new Set(namesFor(key, timeline))
  const begins = [...names].filter(name => name.toLowerCase().startsWith(wanted))
  const holds = [...names].filter(
    name => !name.toLowerCase().startsWith(wanted) && name.toLowerCase().includes(wanted),
  )
  return [...begins, ...holds]
    .filter(name => name !== value.slice(comma))
    .slice(0, MOST)
    .map(name => ({ text: quoted(`${key}:`, kept + name), help: '' }))
}

const quoted = (key: string, value: string): string => key + (/\s/.test(value) ? `"${value}"` : value)

function namesFor(key: string, timeline: Timeline): readonly string[] {
  switch (key) {
    case 'actor':
      return actorNames(timeline)
    case 'from':
      return ['app', ...actorNames(timeline)]
    case 'src':
      return timeline.actors.slice(-ACTORS).map(({ src }) => src)
    case 'type':
      return timeline.types
    case 'state':
      return timeline.states.flatMap(({ paths }) => paths).toSorted()
    case 'status':
      return ['active', 'done', 'error', 'stopped']
    case 'fault':
      return timeline.injections.slice(-ACTORS).flatMap(seq => timeline.faultOf(seq) ?? [])
    default:
      return []
  }
}

/** Ancestors first, because there are few. */
function actorNames({ actors }: Timeline): readonly string[] {
  const paths = actors.slice(-ACTORS).map(shortPath)
  return [...actors.slice(0, 50).map(shortPath), ...paths].toSorted(
    (a, b) => a.split('/').length - b.split('/').length,
  )
}
