// States that are entered although no transition targets them: the initial ones, and those that a transition re-enters.
import type { AnyStateNode } from 'xstate'
import { domainOf, endsOf, type History, isInside, type Transition } from '../../recording/index.ts'

/** The initially active states, before any transition. */
export function initialNodes(root: AnyStateNode): Set<AnyStateNode> {
  const found = new Set<AnyStateNode>()
  const add = (node: AnyStateNode) => {
    if (found.has(node)) return
    found.add(node)
    if (node.parent) add(node.parent)
    if (node.type === 'parallel') {
      for (const child of Object.values<AnyStateNode>(node.states)) if (child.type !== 'history') add(child)
    }
    const isDecided = Object.values<AnyStateNode>(node.states).some(child => found.has(child))
    if (node.type !== 'compound' || isDecided) return
    for (const first of node.initial.target ?? []) for (const end of endsOf(first, {})) add(end)
  }
  add(root)
  return found
}

/** Whether a state that was active before and after this transition was re-entered by it. */
export function isReentered(node: AnyStateNode, transition: Transition, history: History): boolean {
  const { source, target = [] } = transition
  if (target.length === 0) return false
  const domain = domainOf(transition, history)
  if (!domain || isInside(node, domain)) return true
  // XState enters some states without exiting them: states restored by history, and the root as a target.
  return target.some(one => {
    if (one.type !== 'history') return one === node && node === domain && source !== node
    const isAbove = (end: AnyStateNode) => isInside(end, node) && isInside(node, one.parent)
    return endsOf(one, history).some(end => end === node || isAbove(end))
  })
}
