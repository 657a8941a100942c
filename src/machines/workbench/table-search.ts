// Finds the tables of a backend that lists none: asks for usual names one after another, and for names like those
// that exist, since a backend suggests the nearest table for a name that it does not have.
import { assign, setup } from 'xstate'
import { port } from '../port.ts'
import { withEvent } from '../with-event.ts'

/** Events of the port. */
export type TableAnswer =
  | {
      readonly type: 'table.answered'
      /** The table itself, if it exists, or the one that the backend suggests. */
      readonly tables: readonly string[]
    }
  /** The backend did not say. The message is of a server: recordings leave it out. */
  | { readonly type: 'table.unanswered'; readonly message: string }

export type TableSearchEvent =
  | TableAnswer
  | { readonly type: 'search.cancel' }
  /** Continues with the name that was not answered. */
  | { readonly type: 'search.retry' }

export interface TableSearchContext {
  /** Names to ask for, the next one first. */
  readonly names: readonly string[]
  /** Names that were asked for or wait to be. */
  readonly queued: readonly string[]
  readonly asked: number
  /** Tables that exist, in the order in which they were named. */
  readonly tables: readonly string[]
  /** Why the search stopped. */
  readonly message?: string
}

/** No search asks for more names. */
export const MAX_NAMES = 80

/** The port: asks for one table by name. */
const askForTable = port<TableAnswer, { readonly name: string }>('askForTable')

const pluralOf = (word: string): string => {
  if (/[^aeiou]y$/.test(word)) return `${word.slice(0, -1)}ies`
  return /(?:s|x|ch|sh)$/.test(word) ? `${word}es` : `${word}s`
}

const singularOf = (word: string): string => word.replace(/ies$/, 'y').replace(/([^s])s$/, '$1')

/** Names that a schema with this table may have, too: its words, and their singular and plural. */
export function relatedNames(table: string): readonly string[] {
  const words = table.split(/[^\p{L}\p{N}]+|(?<=\p{Ll})(?=\p{Lu})/u).map(word => word.toLowerCase())
  const forms = [...words, words.join('_')].flatMap(word => [singularOf(word), pluralOf(singularOf(word))])
  return [...new Set(forms)].filter(name => name.length > 2 && name !== table)
}

const withTables = (
  { names, queued, asked, tables }: TableSearchContext,
  answered: readonly string[],
): Partial<TableSearchContext> => {
  const fresh = answered.filter(table => !tables.includes(table))
  const newNames = [...new Set(fresh.flatMap(relatedNames))]
    .filter(name => !queued.includes(name))
    .slice(0, MAX_NAMES - queued.length)
  return {
    names: [...names.slice(1), ...newNames],
    queued: [...queued, ...newNames],
    asked: asked + 1,
    tables: [...tables, ...fresh],
  }
}

export const tableSearchMachine = setup({
  types: {
    context: {} as TableSearchContext,
    events: {} as TableSearchEvent,
    input: {} as { readonly names: readonly string[] },
  },
  actors: { askForTable },
  guards: { isComplete: ({ context }) => context.names.length === 0 },
  actions: {
    addTables: assign(({ context }, { tables }: { readonly tables: readonly string[] }) =>
      withTables(context, tables),
    ),
    setMessage: assign((_, { message }: { readonly message: string }) => ({ message })),
  },
}).createMachine({
  id: 'tableSearch',
  context: ({ input: { names } }) => {
    const first = [...new Set(names)].slice(0, MAX_NAMES)
    return { names: first, queued: first, asked: 0, tables: [] }
  },
  initial: 'deciding',
  states: {
    deciding: { always: [{ guard: 'isComplete', target: 'complete' }, { target: 'asking' }] },
    asking: {
      description: 'Asks for one name. The next one follows its answer, so that no rate limit is met.',
      invoke: {
        id: 'askForTable',
        src: 'askForTable',
        input: ({ context }) => ({ name: context.names[0] ?? '' }),
      },
      on: {
        'table.answered': { target: 'deciding', actions: withEvent('addTables') },
        'table.unanswered': { target: 'stopped', actions: withEvent('setMessage') },
        'search.cancel': 'canceled',
      },
    },
    complete: { type: 'final', description: 'Every name was answered.' },
    stopped: {
      description: 'The backend did not answer. What it named so far stays.',
      on: { 'search.retry': 'asking', 'search.cancel': 'canceled' },
    },
    canceled: {
      description: 'The user ended the search. What the backend named so far stays.',
      on: { 'search.retry': 'asking' },
    },
  },
})
