// The actor tree at a moment of the trace: who lives, who is grouped, who has stopped.
import type { ActorEntry, TraceSource } from '../../trace/format.ts'
import { ownName } from './actor-names.ts'
import type { TraceIndex } from './trace-index.ts'

/** One line of the tree. */
export interface ActorNode {
  readonly key: string
  readonly kind: 'actor' | 'group' | 'stopped'
  readonly name: string
  /** The actor of the line; for a group, the first of them. */
  readonly entry: ActorEntry
  readonly stopped: boolean
  /** Actors below that are not shown. */
  readonly hidden: number
  readonly children: readonly ActorNode[]
}

/** How many stopped actors of one parent are listed; the rest is counted. */
export const STOPPED_SHOWN = 50

interface Moment {
  readonly index: TraceIndex
  readonly source: TraceSource
  readonly seq: number
  readonly selected: number
  readonly children: ReadonlyMap<number, readonly ActorEntry[]>
}

/** The tree of the actors that existed at `seq`; the selected actor is always among them. */
export function actorTree(index: TraceIndex, seq: number, selected: number): readonly ActorNode[] {
  const source = index.source
  const children = new Map<number, ActorEntry[]>()
  for (const entry of source.actors) {
    if (index.born(entry.index) > seq) continue
    const siblings = children.get(entry.parent ?? -1)
    if (siblings) siblings.push(entry)
    else children.set(entry.parent ?? -1, [entry])
  }
  return branches({ index, source, seq, selected, children }, -1)
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
    entry,
    stopped,
    hidden: 0,
    children: branches(moment, entry.index),
  }
}

function grouped(moment: Moment, parent: number, members: readonly ActorEntry[]): readonly ActorNode[] {
  const [first] = members
  const nodes = members.map(entry => branch(moment, entry, false))
  if (!first || (members.length === 1 && first.src !== 'request')) return nodes
  return [
    {
      key: `group:${parent}:${first.src}`,
      kind: 'group',
      name: `${first.src}s`,
      entry: first,
      stopped: false,
      hidden: 0,
      children: nodes,
    },
  ]
}

function stoppedNode(moment: Moment, parent: number, stopped: readonly ActorEntry[]): ActorNode {
  const recent = stopped.slice(-STOPPED_SHOWN)
  const chosen = stopped.find(entry => entry.index === moment.selected || holds(moment, entry))
  const shown = !chosen || recent.includes(chosen) ? recent : [chosen, ...recent.slice(1)]
  const [first] = stopped
  if (!first) throw new RangeError('No stopped actors')
  return {
    key: `stopped:${parent}`,
    kind: 'stopped',
    name: `${stopped.length} stopped`,
    entry: first,
    stopped: true,
    hidden: stopped.length - shown.length,
    children: shown.map(entry => branch(moment, entry, true)).reverse(),
  }
}

const holds = (moment: Moment, ancestor: ActorEntry): boolean =>
  ancestorsOf(moment.selected, moment.source.actors).includes(ancestor.index)

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
  node.children.some(
    child => (child.kind === 'actor' && child.entry.index === actor) || contains(child, actor),
  )
