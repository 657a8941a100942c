// Keeps the objects of unchanged lines of a tree, so that only changed ones are drawn anew.
import type { ActorNode } from './actor-nodes.ts'

/** `next` with every node that equals its predecessor replaced by it; `before` itself when all do. */
export function reuseNodes(before: readonly ActorNode[], next: readonly ActorNode[]): readonly ActorNode[] {
  const known = new Map(before.map(node => [node.key, node]))
  const nodes = next.map(node => reuseNode(known.get(node.key), node))
  return nodes.length === before.length && nodes.every((node, at) => node === before[at]) ? before : nodes
}

function reuseNode(before: ActorNode | undefined, next: ActorNode): ActorNode {
  if (!before) return next
  const children = reuseNodes(before.children, next.children)
  return children === before.children && sameLine(before, next) ? before : { ...next, children }
}

const sameLine = (a: ActorNode, b: ActorNode): boolean =>
  a.name === b.name &&
  a.kind === b.kind &&
  a.stopped === b.stopped &&
  a.size === b.size &&
  a.hidden === b.hidden &&
  a.state?.full === b.state?.full &&
  a.state?.tone === b.state?.tone
