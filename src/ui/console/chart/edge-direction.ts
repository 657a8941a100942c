// Finds the arrows that lead backwards, so that charts run from their initial state on.
import type { ChartState } from '../../../trace/format.ts'

interface Arrow {
  readonly id: string
  readonly source: string
  readonly target: string
}

/** Ids of the arrows that close a cycle when each state is walked from its initial child. */
export function backwardArrows(root: ChartState, arrows: readonly Arrow[]): ReadonlySet<string> {
  const within = Map.groupBy(arrows.map(lifted), arrow => arrow.container)
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

interface Lifted {
  readonly id: string
  /** The innermost state that holds both ends. */
  readonly container: string
  /** Children of the container in which the arrow starts and ends. */
  readonly from: string
  readonly to: string
}

function lifted({ id, source, target }: Arrow): Lifted {
  const [a, b] = [source.split('.'), target.split('.')]
  let shared = 0
  while (shared < a.length && shared < b.length && a[shared] === b[shared]) shared += 1
  const path = (keys: readonly string[], length: number) => keys.slice(0, length).join('.')
  return { id, container: path(a, shared), from: path(a, shared + 1), to: path(b, shared + 1) }
}

function backwardsIn(container: ChartState, arrows: readonly Lifted[]): readonly string[] {
  const out = Map.groupBy(arrows, arrow => arrow.from)
  const state = new Map<string, 'open' | 'done'>()
  const backwards: string[] = []
  const walk = (path: string) => {
    if (state.has(path)) return
    state.set(path, 'open')
    for (const arrow of out.get(path) ?? []) {
      if (arrow.to !== path && state.get(arrow.to) === 'open') backwards.push(arrow.id)
      else walk(arrow.to)
    }
    state.set(path, 'done')
  }
  const initial = container.states.filter(child => child.key === container.initial)
  for (const child of [...initial, ...container.states]) walk(child.path)
  return backwards
}
