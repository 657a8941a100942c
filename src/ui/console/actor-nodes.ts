// The actor tree at a moment of the trace: who lives, who is grouped, who has stopped.
import type { ActorEntry, MachineChart, TraceSource } from '../../trace/format.ts'
import { familyOf, ownName, type Family } from './actor-names.ts'
import { actorState, type ActorState } from './actor-state.ts'
import type { TraceIndex } from './trace-index.ts'

/** One line of the tree. */
export interface ActorNode {
  readonly key: string
  readonly kind: 'actor' | 'group' | 'stopped'
  readonly name: string
  readonly title: string
  readonly family: Family
  /** Index of the actor; for a group, of the first of them. */
  readonly actor: number
  /** Absent for groups. */
  readonly state?: ActorState
  readonly stopped: boolean
  /** How many actors a group stands for; 1 for an actor. */
  readonly size: number
  /** Actors below that are not shown. */
  readonly hidden: number
  readonly children: readonly ActorNode[]
}

/** How many actors of one group are listed, the youngest ones; the rest is counted. */
export const LISTED = 20

interface Moment {
  readonly index: TraceIndex
  readonly source: TraceSource
  readonly seq: number
  /** The selected actor and those above it. */
  readonly path: ReadonlySet<number>
  readonly charts: Readonly<Record<string, MachineChart>>
  readonly children: ReadonlyMap<number, readonly ActorEntry[]>
}

export interface TreeRequest {
  readonly index: TraceIndex
  readonly seq: number
  readonly selected: number
  readonly charts: Readonly<Record<string, MachineChart>>
}

/** The tree of the actors that existed at `seq`; the selected actor is always among them. */
export function actorTree({ index, seq, selected, charts }: TreeRequest): readonly ActorNode[] {
  const source = index.source
  const children = new Map<number, ActorEntry[]>()
  for (const entry of source.actors) {
    if (index.born(entry.index) > seq) continue
    const siblings = children.get(entry.parent ?? -1)
    if (siblings) siblings.push(entry)
    else children.set(entry.parent ?? -1, [entry])
  }
  const path = new Set([selected, ...ancestorsOf(selected, source.actors)])
  return branches({ index, source, seq, path, charts, children }, -1)
}

function branches(moment: Moment, parent: number): readonly ActorNode[] {
  const all = moment.children.get(parent) ?? []
  const isStopped = (entry: ActorEntry) => moment.index.ended(entry.index) <= moment.seq
  const alive = all.filter(entry => !isStopped(entry))
  const stopped = all.filter(isStopped)
  if (parent === -1) return all.map(entry => branch(moment, entry, isStopped(entry)))
  const groups = Map.groupBy(alive, entry => entry.src)
  const nodes = [...groups.values()].flatMap(members => grouped(moment, parent, members))
  return stopped.length === 0 ? nodes : [...nodes, stoppedNode(moment, parent, stopped)]
}

function branch(moment: Moment, entry: ActorEntry, stopped: boolean): ActorNode {
  return {
    key: `actor:${entry.index}`,
    kind: 'actor',
    name: ownName(entry, moment.source.actors),
    title: entry.path,
    family: familyOf(entry, moment.source.actors),
    actor: entry.index,
    state: actorState(entry, moment.index, moment.seq, moment.charts),
    stopped,
    size: 1,
    hidden: 0,
    children: branches(moment, entry.index),
  }
}

function grouped(moment: Moment, parent: number, members: readonly ActorEntry[]): readonly ActorNode[] {
  const [first] = members
  if (!first) return []
  if (members.length === 1 && first.src !== 'request') return [branch(moment, first, false)]
  const listed = listedOf(moment, members)
  return [
    {
      key: `group:${parent}:${first.src}`,
      kind: 'group',
      name: `${first.src}s`,
      title: `${first.src}s`,
      family: familyOf(first, moment.source.actors),
      actor: first.index,
      stopped: false,
      size: members.length,
      hidden: members.length - listed.length,
      children: listed.map(entry => branch(moment, entry, false)),
    },
  ]
}

function stoppedNode(moment: Moment, parent: number, stopped: readonly ActorEntry[]): ActorNode {
  const listed = listedOf(moment, stopped)
  const [first] = stopped
  if (!first) throw new RangeError('No stopped actors')
  return {
    key: `stopped:${parent}`,
    kind: 'stopped',
    name: 'stopped',
    title: 'actors that have stopped',
    family: familyOf(first, moment.source.actors),
    actor: first.index,
    stopped: true,
    size: stopped.length,
    hidden: stopped.length - listed.length,
    children: listed.map(entry => branch(moment, entry, true)).reverse(),
  }
}

/** The youngest actors, and the one that is or holds the selected actor. */
function listedOf(moment: Moment, entries: readonly ActorEntry[]): readonly ActorEntry[] {
  const recent = entries.slice(-LISTED)
  const chosen = entries.find(entry => moment.path.has(entry.index))
  return !chosen || recent.includes(chosen) ? recent : [chosen, ...recent.slice(1)]
}

function ancestorsOf(actor: number, actors: readonly ActorEntry[]): readonly number[] {
  const parent = actors[actor]?.parent
  return parent === undefined ? [] : [parent, ...ancestorsOf(parent, actors)]
}

/** Keys of the lines that are open: all but the stopped ones, unless the user said otherwise. */
export function expandedKeys(
  nodes: readonly ActorNode[],
  selected: number,
  chosen: ReadonlyMap<string, boolean>,
): readonly string[] {
  return nodes.flatMap(node => {
    const below = expandedKeys(node.children, selected, chosen)
    if (node.children.length === 0) return below
    const byDefault = node.kind !== 'stopped' || contains(node, selected)
    return (chosen.get(node.key) ?? byDefault) ? [node.key, ...below] : below
  })
}

const contains = (node: ActorNode, actor: number): boolean =>
  node.children.some(child => (child.kind === 'actor' && child.actor === actor) || contains(child, actor))
