// The description at the root, as secret keys get it.
import type { Case } from './case.ts'

const SCHEMA = 'openapi: schema'
const TABLES = 'openapi: tables and views'
const TYPES = 'openapi: types'
const DEFAULTS = 'openapi: default values'
const FUNCTIONS = 'openapi: functions'
const OWN = 'openapi: overriding the response'
const DISABLED = 'configuration: openapi-mode'

const has = (
  section: string,
  name: string,
  part: unknown,
  headers: Readonly<Record<string, string>> = {},
): Case => ({
  section,
  name,
  request: { path: '/', role: 'service_role', headers },
  expect: { status: 200, part },
})
const properties = (table: string, all: unknown) => ({ definitions: { [table]: { properties: all } } })
const ref = (name: string) => ({ $ref: `#/parameters/${name}` })
const PK = 'Note:\nThis is a Primary Key.<pk/>'
const fk = (table: string, column: string) =>
  `Note:\nThis is a Foreign Key to \`${table}.${column}\`.<fk table='${table}' column='${column}'/>`
const columnsOf = (table: string, ...columns: readonly string[]) =>
  columns.map(column => ref(`rowFilter.${table}.${column}`))
const READING = ['select', 'order', 'range', 'rangeUnit', 'offset', 'limit', 'preferCount'].map(ref)

export const OPENAPI: readonly Case[] = [
  {
    section: SCHEMA,
    request: { path: '/', role: 'service_role' },
    expect: {
      status: 200,
      part: { swagger: '2.0' },
      headers: { 'content-type': 'application/openapi+json; charset=utf-8' },
    },
  },
  {
    section: SCHEMA,
    request: { path: '/', role: 'service_role', headers: { accept: 'application/openapi+json' } },
    expect: { status: 200, headers: { 'content-type': 'application/openapi+json; charset=utf-8' } },
  },
  {
    section: SCHEMA,
    request: { method: 'HEAD', path: '/', role: 'service_role' },
    expect: { status: 200, text: '', headers: { 'content-type': 'application/openapi+json; charset=utf-8' } },
  },
  {
    section: SCHEMA,
    request: { path: '/', role: 'service_role', headers: { accept: 'text/csv' } },
    expect: {
      status: 406,
      error: { code: 'PGRST107', message: 'None of these media types are available: text/csv' },
    },
  },
  {
    section: SCHEMA,
    request: { path: '/', role: 'service_role', headers: { 'accept-profile': 'unknown' } },
    expect: {
      status: 406,
      error: {
        code: 'PGRST106',
        message: 'Invalid schema: unknown',
        hint: 'Only the following schemas are exposed: public, archive',
      },
    },
  },
  has(
    SCHEMA,
    'a comment of the schema is its title and description',
    { info: { title: 'Old Things', description: 'What was kept.' } },
    { 'accept-profile': 'archive' },
  ),
  has(
    SCHEMA,
    'of another schema',
    properties('items', { id: { description: PK, format: 'int32', type: 'integer' } }),
    { 'accept-profile': 'archive' },
  ),

  has(TABLES, 'a comment of several lines', {
    paths: {
      '/films': {
        get: { summary: 'Films of the archive', description: 'With a director each,\nor without one.' },
      },
    },
  }),
  has(TABLES, 'a comment of one line', { paths: { '/actors': { get: { summary: 'People on screen' } } } }),
  has(TABLES, 'parameters of GET', {
    paths: { '/actors': { get: { parameters: [...columnsOf('actors', 'id', 'name'), ...READING] } } },
  }),
  has(TABLES, 'parameters of POST', {
    paths: { '/actors': { post: { parameters: [ref('body.actors'), ref('select'), ref('preferPost')] } } },
  }),
  has(TABLES, 'answers', {
    paths: {
      '/actors': {
        get: { responses: { 200: { schema: { type: 'array', items: { $ref: '#/definitions/actors' } } } } },
        post: { responses: { 201: { description: 'Created' } } },
        patch: { responses: { 204: { description: 'No Content' } } },
        delete: { responses: { 204: { description: 'No Content' } } },
      },
    },
  }),
  has(TABLES, 'tags', { paths: { '/actors': { get: { tags: ['actors'] } } } }),
  has(TABLES, 'a table', {
    definitions: { actors: { type: 'object', description: 'People on screen', required: ['id', 'name'] } },
  }),
  has(
    TABLES,
    'a primary key',
    properties('films', { id: { description: PK, format: 'int32', type: 'integer' } }),
  ),
  has(
    TABLES,
    'a foreign key',
    properties('films', {
      director_id: { description: fk('directors', 'id'), format: 'int32', type: 'integer' },
    }),
  ),
  has(
    TABLES,
    'a comment of a column',
    properties('films', { title: { description: 'As on the poster', format: 'text', type: 'string' } }),
  ),
  has(
    TABLES,
    'a foreign key of one-to-one',
    properties('capitals', {
      country_code: { description: fk('countries', 'code'), format: 'text', type: 'string' },
    }),
  ),
  has(TABLES, 'a view', {
    paths: { '/film_list': { get: { summary: 'Films with names' } } },
    definitions: { film_list: { description: 'Films with names' } },
  }),
  has(
    TABLES,
    'a key of a view',
    properties('classics', { id: { description: PK }, director_id: { description: fk('directors', 'id') } }),
  ),
  has(TABLES, 'a partitioned table', {
    paths: {
      '/box_office': {
        get: {
          summary: 'Takings of a day',
          parameters: [...columnsOf('box_office', 'day', 'film_id', 'gross'), ...READING],
        },
      },
    },
  }),
  has(TABLES, 'a materialized view', {
    paths: {
      '/film_snapshot': {
        get: { parameters: [...columnsOf('film_snapshot', 'id', 'title', 'director_id'), ...READING] },
      },
    },
  }),

  has(
    TYPES,
    'numbers',
    properties('types', {
      a_int: { format: 'int32', type: 'integer' },
      a_small: { format: 'int32', type: 'integer' },
      a_big: { format: 'int64', type: 'integer' },
      a_num: { format: 'numeric', type: 'number' },
      a_real: { format: 'real', type: 'number' },
      a_double: { format: 'double precision', type: 'number' },
    }),
  ),
  has(
    TYPES,
    'texts',
    properties('types', {
      a_text: { format: 'text', type: 'string' },
      a_varchar: { format: 'character varying', type: 'string', maxLength: 20 },
      a_date: { format: 'date', type: 'string' },
      a_uuid: { format: 'uuid', type: 'string' },
    }),
  ),
  has(
    TYPES,
    'others',
    properties('types', {
      a_bool: { format: 'boolean', type: 'boolean' },
      a_json: { format: 'json' },
      a_jsonb: { format: 'jsonb' },
      a_ints: { format: 'integer[]', type: 'array', items: { type: 'integer' } },
      a_texts: { format: 'text[]', type: 'array', items: { type: 'string' } },
    }),
  ),
  has(
    TYPES,
    'an enum',
    properties('films', {
      mood: { format: 'public.mood', type: 'string', enum: ['calm', 'tense', 'grand'] },
    }),
  ),
  has(
    DEFAULTS,
    'of columns',
    properties('types', {
      with_text: { default: 'default' },
      with_int: { default: 42 },
      with_bool: { default: false },
    }),
  ),

  has(FUNCTIONS, 'a comment', {
    paths: {
      '/rpc/add': {
        get: { summary: 'Adds', description: 'Two numbers.' },
        post: { summary: 'Adds', description: 'Two numbers.' },
      },
    },
  }),
  has(FUNCTIONS, 'tags', { paths: { '/rpc/add': { post: { tags: ['(rpc) add'] } } } }),
  has(FUNCTIONS, 'parameters of GET', {
    paths: {
      '/rpc/three': {
        get: {
          parameters: ['a', 'b', 'c'].map(name => ({
            format: 'int32',
            in: 'query',
            name,
            required: false,
            type: 'integer',
          })),
        },
      },
      '/rpc/greet': {
        get: { parameters: [{ format: 'text', in: 'query', name: 'name', required: false, type: 'string' }] },
      },
    },
  }),
  has(FUNCTIONS, 'the body of POST', {
    paths: {
      '/rpc/add': {
        post: {
          parameters: {
            0: {
              schema: {
                type: 'object',
                required: ['a', 'b'],
                properties: {
                  a: { format: 'int32', type: 'integer' },
                  b: { format: 'int32', type: 'integer' },
                },
              },
            },
          },
        },
      },
    },
  }),
  has(FUNCTIONS, 'a variadic parameter', {
    paths: {
      '/rpc/total_of': {
        get: {
          parameters: [
            {
              collectionFormat: 'multi',
              in: 'query',
              items: { type: 'integer' },
              name: 'nums',
              required: false,
              type: 'array',
            },
          ],
        },
      },
    },
  }),

  {
    section: OWN,
    name: 'a name with its schema',
    settings: { db_root_spec: 'public.root_doc' },
    request: { path: '/', role: 'service_role' },
    expect: { status: 200, json: { swagger: '2.0', info: { title: 'Own' } } },
  },
  ...(['application/openapi+json', 'application/json'] as const).map((accept): Case => ({
    section: OWN,
    settings: { db_root_spec: 'root_doc' },
    request: { path: '/', role: 'service_role', headers: { accept } },
    expect: {
      status: 200,
      json: { swagger: '2.0', info: { title: 'Own' } },
      headers: { 'content-type': `${accept}; charset=utf-8` },
    },
  })),
  {
    section: DISABLED,
    settings: { openapi_mode: 'disabled' },
    request: { path: '/', role: 'service_role' },
    expect: {
      status: 404,
      error: { code: 'PGRST126', message: 'Root endpoint metadata is disabled', details: null, hint: null },
    },
  },
]
