// Arrow directions: between which children of which state they run, and which point backward.
import type { ChartState } from '../../../trace/index.ts'

/** An arrow drawn between two states of one container. */
export interface Lifted {
  /** Innermost state that contains both ends. */
  readonly container: string
  /** Children of the container where the arrow starts and ends. */
  readonly from: string
  readonly to: string
}

/** Lifts the ends of a transition to siblings; returns undefined if one end contains the other. */
export function lifted(source: string, target: string): Lifted | undefined {
  const [a, b] = [keysOf(source), keysOf(target)]
  let shared = 0
  while (shared < a.length && shared < b.length && a[shared] === b[shared]) shared += 1
  if (shared === a.length || shared === b.length) return undefined
  const path = (keys: readonly string[], length: number) => keys.slice(0, length).join('.')
  return { container: path(a, shared), from: path(a, shared + 1), to: path(b, shared + 1) }
}

const keysOf = (path: string): readonly string[] => (path === '' ? [] : path.split('.'))

/** Returns the path of the parent of the state at this path. */
export const containerOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf('.')))

interface Arrow {
  readonly id: string
  readonly source: string
  readonly target: string
}

/** Returns ids of the arrows that close a cycle when walking from each initial child. */
export function backwardArrows(root: ChartState, arrows: readonly Arrow[]): ReadonlySet<string> {
  const within = Map.groupBy(arrows, arrow => containerOf(arrow.source))
  const found = new Set<string>()
  visit(root, container => {
    for (const id of backwardsIn(container, within.get(container.path) ?? [])) found.add(id)
  })
  return found
}

function visit(state: ChartState, take: (state: ChartState) => void): void {
  take(state)
  for (const child of state.states) visit(child, take)
}

function backwardsIn(container: ChartState, arrows: readonly Arrow[]): readonly string[] {
  const out = Map.groupBy(arrows, arrow => arrow.source)
  const state = new Map<string, 'open' | 'done'>()
  const backwards: string[] = []
  const walk = (path: string) => {
    if (state.has(path)) return
    state.set(path, 'open')
    for (const arrow of out.get(path) ?? []) {
      if (state.get(arrow.target) === 'open') backwards.push(arrow.id)
      else walk(arrow.target)
    }
    state.set(path, 'done')
  }
  const initial = container.states.filter(child => child.key === container.initial)
  for (const child of [...initial, ...container.states]) walk(child.path)
  return backwards
}
