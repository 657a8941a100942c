// Compares a keyframe of a recording without steps with the state of a replay.
import {
  type ActorEntry,
  changedPaths,
  type CodeCounts,
  decodeValue,
  diffValues,
  encodeValue,
  hasOmissions,
  type Json,
  type KeyframeRecord,
  recordText,
} from '../../../trace/index.ts'

/** JSON Pointers at which two states differ, with both values as JSON. */
export type KeyframeDifferences = readonly {
  readonly path: string
  readonly expected: unknown
  readonly got: unknown
}[]

/** Maximum number of reported differences. */
const MOST = 20

/** The result of a comparison; complete if no part of a value is missing in the recording. */
export interface KeyframeComparison {
  readonly differences: KeyframeDifferences
  readonly isComplete: boolean
}

/**
 * Finds the differences, as JSON Pointers that begin with an actor's path or with `timers`; empty if there
 * are none.
 */
export function compareKeyframes(
  recorded: KeyframeRecord,
  actorsThen: readonly ActorEntry[],
  here: KeyframeRecord,
  actorsNow: readonly ActorEntry[],
): KeyframeComparison {
  const then = stateOf(recorded, actorsThen)
  const text = JSON.stringify(then)
  let now = stateOf(here, actorsNow)
  // A value that was too large to be written is compared by its marker.
  if (text.includes(UNWRITABLE)) now = stateOf(asWritten(here), actorsNow)
  const isComplete = !hasOmissions(text)
  if (text === JSON.stringify(now)) return { differences: [], isComplete }
  const diff = diffValues(then, now, MOST)
  const differences = changedPaths(diff).map((path): KeyframeDifferences[number] => ({
    path,
    expected: diff.updated[path]?.[0] ?? diff.removed[path],
    got: diff.updated[path]?.[1] ?? diff.added[path],
  }))
  return { differences, isComplete }
}

const UNWRITABLE = '"$":"unwritable"'

function asWritten(keyframe: KeyframeRecord): KeyframeRecord {
  return decodeValue(JSON.parse(recordText(keyframe)) as Json) as KeyframeRecord
}

interface Own extends Readonly<Record<string, unknown>> {
  readonly status?: unknown
}

interface Persisted extends Own {
  readonly children?: Readonly<Record<string, PersistedChild>>
}

interface PersistedChild {
  readonly snapshot: Persisted
}

/** Everything that must match, by actor path. The remaining time of a timer depends on the clock. */
function stateOf({ snapshot, ...keyframe }: KeyframeRecord, table: readonly ActorEntry[]): Json {
  const { tree = table.slice(0, keyframe.actors).map(({ index }) => index), leaves } = keyframe
  const counts = new Map(leaves.map(leaf => [leaf.actor, leaf]))
  const pathOf = (index: number) => table[index]?.path ?? `number ${index}`
  const actors: Record<string, Own> = {}
  let at = 0
  const visit = ({ children, ...own }: Persisted, link: object) => {
    const index = tree[at++] ?? -1
    // An ended actor runs no more code, so its counts do not matter.
    const code = own.status === 'active' ? countsOf(counts.get(index)) : undefined
    actors[pathOf(index)] = { ...link, ...own, ...code, children: Object.keys(children ?? {}) }
    for (const { snapshot: below, ...rest } of Object.values(children ?? {})) visit(below, rest)
  }
  visit(snapshot as Persisted, {})
  const timers = keyframe.timers.map(({ source, target, outside, event, delay, id, ordinal }) => [
    String(ordinal),
    { source: pathOf(source), target: target === undefined ? { outside } : pathOf(target), event, delay, id },
  ])
  const names = Object.entries(keyframe.names).filter(([path]) => isNameBelow(actors, path))
  return encodeValue({
    actors,
    timers: Object.fromEntries(timers) as unknown,
    nextOrdinal: keyframe.nextOrdinal,
    unreachable: keyframe.unreachable.toSorted(),
    names: Object.fromEntries(names.sort(([a], [b]) => (a < b ? -1 : 1))) as unknown,
  })
}

/** Names below ended actors are not used again. */
function isNameBelow(actors: Readonly<Record<string, Own>>, path: string): boolean {
  const end = path.lastIndexOf('/')
  const parent = path.slice(0, end)
  return end < 0 || (Object.hasOwn(actors, parent) && actors[parent]?.status === 'active')
}

function countsOf(counts: CodeCounts | undefined): object {
  const { transitions = 0, actions = 0, snapshots = 0, emits = 0, sends = 0 } = counts ?? {}
  return { code: { transitions, actions, snapshots, emits, sends } }
}
