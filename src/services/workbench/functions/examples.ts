// Example calls: the demo functions of the embedded backend.
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
    title: 'Tide at Gullhaven',
    draft: { ...EMPTY_DRAFT, name: 'tide', json: '{ "port": "Gullhaven" }' },
  },
  get('watch', 'Sightings as events', 'watch', ['count', '12'], ['every', '400']),
  get('lines', 'Sightings as lines', 'watch', ['as', 'lines'], ['count', '8'], ['every', '300']),
  get('chart', 'Tide chart as an image', 'chart'),
  get('csv', 'Tide chart as a file', 'chart', ['as', 'csv']),
  get('rocks', 'Error with a body', 'rocks', ['status', '422']),
  {
    id: 'echo',
    title: 'Echo a request',
    draft: {
      ...EMPTY_DRAFT,
      name: 'echo/anything',
      query: query(['of', 'the sea']),
      json: '{ "vessel": "Kittiwake" }',
    },
  },
]
