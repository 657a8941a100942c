// Searches a chart's states and arrows by text.
import { type ChartState, type ChartTransition, namedTransitions } from '../../../trace/index.ts'

/** Search results, in chart order. */
export interface SearchResult {
  readonly states: readonly string[]
  /** Names of transitions. */
  readonly transitions: readonly string[]
}

/** Finds states and transitions whose text contains all words of the query. */
export function search(
  states: ReadonlyMap<string, ChartState>,
  machine: string,
  query: string,
): SearchResult {
  const wanted = query.toLowerCase().split(/\s+/).filter(Boolean)
  const fits = (texts: readonly string[]) => {
    const text = texts.join('\n').toLowerCase()
    return wanted.every(word => text.includes(word))
  }
  const all = [...states.values()]
  return {
    states: all.filter(state => state.path !== '' && fits(wordsOfState(state))).map(({ path }) => path),
    transitions: all
      .flatMap(state => namedTransitions(machine, state))
      .filter(transition => fits(wordsOfTransition(transition)))
      .map(({ name }) => name),
  }
}

const wordsOfState = ({ key, description = '', entry, exit, invoke, tags }: ChartState) => [
  key,
  description,
  ...entry,
  ...exit,
  ...invoke.map(({ src }) => src),
  ...tags,
]

const wordsOfTransition = ({ event, guard = '', actions, description = '' }: ChartTransition) => [
  event,
  guard,
  description,
  ...actions,
]
