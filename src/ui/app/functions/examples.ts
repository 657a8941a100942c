// Calls to begin with: the demo functions of the embedded backend.
import { EMPTY_DRAFT, type Draft, type Pair } from './call-draft.ts'

export interface Example {
  readonly id: string
  readonly title: string
  readonly draft: Draft
}

type Named = readonly [name: string, value: string]

const query = (...pairs: readonly Named[]): Pair[] =>
  pairs.map(([name, value]) => ({ id: `example-${name}`, on: true, name, value }))

const get = (id: string, title: string, name: string, ...pairs: readonly Named[]): Example => ({
  id,
  title,
  draft: { ...EMPTY_DRAFT, name, method: 'GET', query: query(...pairs) },
})

export const EXAMPLES: readonly Example[] = [
  {
    id: 'tide',
    title: 'The tide at Gullhaven',
    draft: { ...EMPTY_DRAFT, name: 'tide', json: '{ "port": "Gullhaven" }' },
  },
  get('watch', 'Sightings, as they are made', 'watch', ['count', '12'], ['every', '400']),
  get('lines', 'The same, line by line', 'watch', ['as', 'lines'], ['count', '8'], ['every', '300']),
  get('chart', 'A picture of the tide', 'chart'),
  get('csv', 'A file to download', 'chart', ['as', 'csv']),
  get('rocks', 'An error with its body', 'rocks', ['status', '422']),
  {
    id: 'echo',
    title: 'What reaches a function',
    draft: {
      ...EMPTY_DRAFT,
      name: 'echo/anything',
      query: query(['of', 'the sea']),
      json: '{ "vessel": "Kittiwake" }',
    },
  },
]
