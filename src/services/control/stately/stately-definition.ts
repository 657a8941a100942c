// Converts a machine's chart to the config that the Stately inspector draws: only names, no context, input or
// code.
import type { ChartState, ChartTransition, Json, MachineChart } from '../../../trace/index.ts'

type Config = { readonly [key: string]: Json }

/** Returns the config as JSON. */
export function definitionOf(chart: MachineChart): string {
  return JSON.stringify({ id: chart.id, ...configOf(chart.root, chart.id) })
}

function configOf(state: ChartState, machine: string): Config {
  const { type, initial, history, states, entry, exit, invoke, tags, description } = state
  const targeted = state.transitions.map(one => [one, transition(one, machine)] as const)
  const those = (matches: (event: string) => boolean) => targeted.filter(([{ event }]) => matches(event))
  const plain = those(event => !/^(?:after |always$|done$|(?:done|error|snapshot) )/.test(event))
  const config: Record<string, Json> = {
    ...(type !== 'atomic' && type !== 'compound' && { type }),
    ...(initial !== undefined && { initial }),
    ...(history && { history }),
    ...(description !== undefined && { description }),
    ...(tags.length > 0 && { tags }),
    ...(entry.length > 0 && { entry }),
    ...(exit.length > 0 && { exit }),
    ...(states.length > 0 && {
      states: Object.fromEntries(states.map(child => [child.key, configOf(child, machine)])),
    }),
    ...keyed('on', plain, event => event),
    ...keyed(
      'after',
      those(event => event.startsWith('after ')),
      event => event.slice('after '.length),
    ),
    ...listed(
      'always',
      those(event => event === 'always'),
    ),
    ...listed(
      'onDone',
      those(event => event === 'done'),
    ),
  }
  if (invoke.length === 0) return config
  const ends = (word: string, src: string) => those(event => event === `${word} ${src}`)
  return {
    ...config,
    invoke: invoke.map(({ id, src }) => ({
      id,
      src,
      ...listed('onDone', ends('done', src)),
      ...listed('onError', ends('error', src)),
      ...listed('onSnapshot', ends('snapshot', src)),
    })),
  }
}

type Targeted = readonly (readonly [ChartTransition, Config])[]

function keyed(name: string, transitions: Targeted, key: (event: string) => string): Config {
  const groups = Map.groupBy(transitions, ([{ event }]) => key(event))
  const entries = [...groups].map(([event, list]) => [event, list.map(([, config]) => config)] as const)
  return entries.length === 0 ? {} : { [name]: Object.fromEntries(entries) }
}

function listed(name: string, transitions: Targeted): Config {
  return transitions.length === 0 ? {} : { [name]: transitions.map(([, config]) => config) }
}

function transition(one: ChartTransition, machine: string): Config {
  const { targets, guard, actions, reenter, description } = one
  const named = targets.map(path => (path === '' ? `#${machine}` : `#${machine}.${path}`))
  const [only] = named
  return {
    ...(only !== undefined && { target: named.length === 1 ? only : named }),
    ...(guard !== undefined && { guard: { type: guard } }),
    ...(actions.length > 0 && { actions: actions.map(type => ({ type })) }),
    ...(reenter && { reenter }),
    ...(description !== undefined && { description }),
  }
}
