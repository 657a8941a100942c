// What could stand at the caret of a query: keys, and the actors, types and states that the trace has.
import { shortPath } from '../../../trace/timeline/family.ts'
import type { Timeline } from '../../../trace/timeline/timeline.ts'
import { FLAG_WORDS, KEY_HELP } from '../../../trace/query/terms.ts'

export interface Offer {
  /** What comes in the place of the word. */
  readonly text: string
  /** What it is, in a few words. */
  readonly help: string
}

export interface Completion {
  /** The word at the caret: from `from` up to, but without, `to`. */
  readonly from: number
  readonly to: number
  readonly offers: readonly Offer[]
}

const MOST = 8
const PAST = 4
/** Actors that are looked through: the latest ones. */
const ACTORS = 4000

const FLAG_HELP: Readonly<Record<string, string>> = {
  noop: 'changed nothing',
  failed: 'failed',
  injected: 'made by a fault on command',
  moved: 'came to another state',
  lost: 'its line was damaged',
  bookmarked: 'has a note',
}

/** Offers for the word at the caret. */
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

/** For a field in which nothing stands yet: what was asked before, then the keys. */
export function beginnings(past: readonly string[]): Completion {
  const known = past.slice(0, PAST).map(text => ({ text, help: 'asked before' }))
  return { from: 0, to: 0, offers: [...known, ...keyOffers('')].slice(0, MOST) }
}

function keyOffers(word: string): readonly Offer[] {
  const keys = Object.entries(KEY_HELP).map(([key, help]) => ({ text: `${key}:`, help }))
  const flags = FLAG_WORDS.map(text => ({ text, help: FLAG_HELP[text] ?? '' }))
  const compared = [
    { text: 'dur>', help: 'for how long the state lasted, as dur>500ms' },
    { text: 'at>', help: 'when it was, as at>2s' },
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

/** Those above others first: they are few. */
function actorNames({ actors }: Timeline): readonly string[] {
  const paths = actors.slice(-ACTORS).map(shortPath)
  return [...actors.slice(0, 50).map(shortPath), ...paths].toSorted(
    (a, b) => a.split('/').length - b.split('/').length,
  )
}
