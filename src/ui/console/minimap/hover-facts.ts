// Describes a position of the overview in a few lines.
import { FAMILIES, type StateInfo, type Timeline } from '../../../trace/index.ts'
import { clockTime, count, plural } from '../text.ts'
import { standsForFamily, type Overview } from './overview.ts'

export interface OverviewFacts {
  readonly title: string
  readonly lines: readonly string[]
}

/** Labels for machines in states of a level; the levels themselves are drawn. */
const WORDS = ['idle', 'ok', 'stale', 'waiting', 'failed'] as const

/** Returns the facts of the bucket at a time, and of highlights within `near` milliseconds. */
export function overviewFacts(
  timeline: Timeline,
  overview: Overview,
  t: number,
  near: number,
  findings: readonly { readonly seq: number; readonly name: string }[],
): OverviewFacts {
  const bucket = overview.bucketAt(t)
  const isNear = (seq: number) => Math.abs(timeline.t(seq) - t) <= near
  const [events, failed, injected] = [
    overview.events[bucket] ?? 0,
    overview.failed[bucket] ?? 0,
    overview.injected[bucket] ?? 0,
  ]
  const found = findings.filter(({ seq }) => isNear(seq)).map(({ name }) => name)
  const notes = timeline.bookmarks.filter(({ step }) => isNear(step)).map(({ note }) => note)
  return {
    title: `${clockTime(t)} · event ${count(Math.max(0, timeline.countAt(t) - 1))}`,
    lines: [
      ...FAMILIES.flatMap((family, at) => familyLine(timeline, overview, t, family, at, bucket)),
      ...(events > 0 ? [`${plural(events, 'event')} in ${durationOf(overview)}`] : []),
      ...(failed > 0 ? [`${count(failed)} failed`] : []),
      ...(injected > 0 ? [`${count(injected)} injected`] : []),
      ...new Set(found.map(name => `failed: ${name}`)),
      ...notes.map(note => `note: ${note}`),
    ].slice(0, 9),
  }
}

const durationOf = ({ width }: Overview): string => (width < 1 ? `${width} ms` : `${count(width)} ms`)

function familyLine(
  timeline: Timeline,
  overview: Overview,
  t: number,
  family: string,
  at: number,
  bucket: number,
): string[] {
  const counts = overview.countsAt(at, bucket)
  const all = counts.reduce((sum, value) => sum + value, 0)
  if (all === 0) return []
  const only = all === 1 ? stateOfOnly(timeline, t, at) : undefined
  if (only !== undefined) return [`${family}: ${only}`]
  const words = counts.flatMap((value, level) => (value > 0 ? [`${count(value)} ${WORDS[level]}`] : []))
  return [`${family}: ${words.toReversed().join(', ')}`]
}

/** How far back to search for the state of a family. */
const BACK = 2000
/** Maximum length of a state that is shown in full. */
const LONG = 36

/** Returns the state of the family's machine that took the last step before a time. */
function stateOfOnly(timeline: Timeline, t: number, family: number): string | undefined {
  const last = timeline.countAt(t) - 1
  for (let seq = last; seq >= Math.max(0, last - BACK); seq--) {
    const isOurs = timeline.familyId(timeline.actor(seq)) === family && standsForFamily(timeline, seq)
    if (isOurs && timeline.status(seq) === 'active') return shortened(timeline.state(seq))
  }
  return undefined
}

/** Shortens a long state to its innermost states. */
function shortened({ label, leaves }: StateInfo): string {
  if (label.length <= LONG) return label
  return leaves.map(path => path.slice(path.lastIndexOf('.') + 1)).join(' · ')
}
