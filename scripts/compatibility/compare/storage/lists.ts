// Conversations about listings, as folders and in pages.
import { post, type Conversation } from '../conversation.ts'
import { bucket, raw, REMOVED } from './uploads.ts'

const service = { as: 'service' }
const NAMES = [
  'b.txt',
  'a.txt',
  'folder/one.txt',
  'folder/two.txt',
  'folder/deep/x.txt',
  'Folder/c.txt',
  'z/z.txt',
]
const FILES = [bucket(), ...NAMES.map(name => post(`/object/{{bucket}}/${name}`, undefined, raw(name)))]

export const LISTS: readonly Conversation[] = [
  {
    name: 'listings',
    steps: [
      ...FILES,
      ...[
        { prefix: '' },
        { prefix: 'folder' },
        { prefix: 'folder/' },
        { prefix: 'fold' },
        { prefix: '/' },
        { prefix: 'none' },
        { prefix: 'folder/one.txt' },
        { prefix: '', limit: 2 },
        { prefix: '', limit: 2, offset: 2 },
        { prefix: '', offset: 100 },
        { prefix: '', search: 'a' },
        { prefix: '', search: 'A' },
        { prefix: 'folder', search: 'o' },
        { prefix: 'folder', search: 'two' },
        { prefix: '', search: '%' },
        { prefix: '', search: 'folder/o' },
        ...['name', 'created_at', 'updated_at', 'last_accessed_at'].flatMap(column => [
          { prefix: '', sortBy: { column, order: 'asc' } },
          { prefix: '', sortBy: { column, order: 'desc' } },
        ]),
        { prefix: '', sortBy: { column: 'name' } },
        { prefix: '', sortBy: { order: 'asc' } },
        { prefix: '', sortBy: { column: 'size' } },
        { prefix: '', sortBy: { column: 'name', order: 'down' } },
        { prefix: '', sortBy: 'name' },
        { prefix: '', limit: 0 },
        { prefix: '', limit: -1 },
        { prefix: '', limit: '2' },
        { prefix: '', limit: 'two' },
        { prefix: '', limit: 1.5 },
        { prefix: '', offset: -1 },
        { prefix: 5 },
        { prefix: null },
        {},
      ].map(body => post('/object/list/{{bucket}}', body, service)),
      post('/object/list/missing-bucket', { prefix: '' }, service),
      post('/object/list/{{bucket}}', undefined, service),
      ...REMOVED,
    ],
  },
  {
    name: 'listings in pages',
    steps: [
      ...FILES,
      ...[
        {},
        { prefix: 'folder/' },
        { prefix: 'folder' },
        { with_delimiter: true },
        { with_delimiter: true, prefix: 'folder/' },
        { with_delimiter: true, prefix: 'fold' },
        { with_delimiter: true, sortBy: { column: 'name', order: 'desc' } },
        { sortBy: { column: 'created_at', order: 'asc' } },
        { sortBy: { column: 'created_at', order: 'desc' } },
        { sortBy: { column: 'updated_at' } },
        { sortBy: { column: 'last_accessed_at' } },
        { sortBy: { column: 'name', order: 'down' } },
        { limit: 0 },
        { limit: 10_000 },
        { limit: 'two' },
        { cursor: 'not a cursor' },
        { cursor: '' },
        { with_delimiter: 'yes' },
      ].map(body => post('/object/list-v2/{{bucket}}', body, service)),
      ...[{}, { with_delimiter: true }, { sortBy: { column: 'created_at' } }].flatMap(options => [
        post(
          '/object/list-v2/{{bucket}}',
          { limit: 3, ...options },
          { ...service, save: { cursor: 'nextCursor' } },
        ),
        post(
          '/object/list-v2/{{bucket}}',
          { limit: 3, ...options, cursor: '{{cursor}}' },
          { ...service, save: { cursor: 'nextCursor' } },
        ),
        post('/object/list-v2/{{bucket}}', { limit: 3, ...options, cursor: '{{cursor}}' }, service),
      ]),
      post('/object/list-v2/missing-bucket', {}, service),
      ...REMOVED,
    ],
  },
]
