// Random machines, for what depends only on their structure.
import { createMachine, raise } from 'xstate'
import type { AnyStateMachine } from 'xstate'

/**
 * Nested, parallel and history states with transitions between any of them. A transition notes its name (`path#n`)
 * when it is taken, and a state its path when it is entered.
 */
export function randomChart(random: () => number, note: (name: string) => void): AnyStateMachine {
  const pick = (n: number) => Math.floor(random() * n)
  const ids: string[] = []
  const region = (depth: number, path: readonly string[]): object => {
    const id = ['m', ...path].join('.')
    ids.push(id)
    if (depth === 0) return { id }
    const names = ['a', 'b', 'c'].slice(0, 2 + pick(2))
    const states = Object.fromEntries(names.map(name => [name, region(depth - 1, [...path, name])]))
    const kind = pick(2) === 0 ? { type: 'parallel' } : { initial: names[0] }
    // The default of a history state in a parallel one leads XState (5.33) into mutually exclusive states.
    if ('type' in kind || pick(2) === 0) return { id, ...kind, states }
    ids.push(`${id}.h`)
    const history = pick(2) === 0 ? 'deep' : 'shallow'
    return { id, ...kind, states: { ...states, h: { id: `${id}.h`, type: 'history', history } } }
  }
  const config = region(3, [])
  const target = () => `#${ids[pick(ids.length)]}`
  const transition = (type: string, name: string) => ({
    ...(pick(4) > 0 && { target: target() }),
    reenter: pick(3) === 0,
    actions: [() => note(name), ...(type !== 'raised' && pick(3) === 0 ? [raise({ type: 'raised' })] : [])],
  })
  const wired = (state: object, path: readonly string[]): object => {
    const name = path.join('.')
    const on = Object.fromEntries(
      ['x', 'y', 'z', 'raised']
        .filter(() => pick(3) === 0)
        .map((type, n) => [type, transition(type, `${name}#${n}`)]),
    )
    const inner = Object.entries('states' in state ? (state.states as Record<string, object>) : {})
    const states = inner.map(([key, one]) => [key, key === 'h' ? one : wired(one, [...path, key])])
    const entry = () => note(name)
    return { ...state, on, entry, ...(inner.length > 0 && { states: Object.fromEntries(states) as object }) }
  }
  return createMachine(wired(config, []) as never)
}
