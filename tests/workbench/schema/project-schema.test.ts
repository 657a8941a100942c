// What is known of a project's tables: generated types, schema files, and keys found by asking.
import { describe, expect, test } from 'vitest'
import { readDatabaseTypes } from '../../../src/services/workbench/schema/database-types.ts'
import { findKey, keyCandidates, withKey } from '../../../src/services/workbench/schema/index.ts'
import { readSchemaText } from '../../../src/services/workbench/schema/kept-schema.ts'
import {
  type Column,
  guessTable,
  readOnlyReason,
  keysFrom,
  keysTo,
  type TableInfo,
} from '../../../src/services/workbench/table/index.ts'

const OLD = `export type Json = string | number | boolean | null | { [key: string]: Json | undefined } | Json[]

export interface Database {
  public: {
    Tables: {
      vessels: {
        Row: {
          id: number
          name: string
          rig: Database["public"]["Enums"]["rig"]
          tags: string[] | null
          extra: Json | null
          afloat: boolean
          total: number | null
          full_name: string | null
        }
        Insert: {
          id?: number
          name: string
          rig?: Database["public"]["Enums"]["rig"]
          tags?: string[] | null
          extra?: Json | null
          afloat: boolean
          total?: never
        }
        Update: {
          id?: number
          name?: string
          rig?: Database["public"]["Enums"]["rig"]
          tags?: string[] | null
          extra?: Json | null
          afloat?: boolean
          total?: never
        }
        Relationships: []
      }
    }
    Views: { [_ in never]: never }
    Functions: {
      sail: { Args: { boat: number; knots?: number }; Returns: number }
      ping: { Args: Record<PropertyKey, never>; Returns: undefined }
    }
    Enums: { rig: "sloop" | "ketch" }
    CompositeTypes: { [_ in never]: never }
  }
}
`

const NEW = `/* eslint-disable */
export type Database = {
  // Allows to automatically instantiate createClient with right options
  __InternalSupabase: { PostgrestVersion: "14.1" }
  graphql_public: { Tables: { [_ in never]: never }, Views: {}, Functions: {}, Enums: {} }
  public: {
    Tables: {
      "log entries": {
        Row: { at: string; voyage: number | null; }
        Insert: { at?: string; voyage?: number | null; }
        Update: { at?: string; voyage?: number | null; }
        Relationships: [
          {
            foreignKeyName: "log_voyage_fkey"
            columns: ["voyage"]
            isOneToOne: false
            referencedRelation: "voyages"
            referencedColumns: ["id"]
          },
          { foreignKeyName: "log_voyage_fkey", columns: ["voyage"], isOneToOne: false, referencedRelation: "a_view", referencedColumns: ["id"] },
        ]
      }
    }
    Views: { depths: { Row: { deepest: number | null }; Relationships: [] } }
    Functions: {
      find: | { Args: never; Returns: string } | { Args: { text: string }; Returns: { id: number }[] }
    }
    Enums: { [_ in never]: never }
  }
}
type DatabaseWithoutInternals = Omit<Database, "__InternalSupabase">
export type Tables<T extends keyof (DatabaseWithoutInternals["public"]["Tables"])> = never
export const Constants = { public: { Enums: {} } } as const
`

const tablesOf = (text: string, schema = 'public') => {
  const read = readDatabaseTypes(text)
  if (!read.ok) throw new Error(read.problem)
  return read.schemas.get(schema)?.tables ?? []
}

describe('generated types', () => {
  test('have the kind of views, and foreign keys in both directions', () => {
    const tables = tablesOf(NEW)
    const kinds = Object.fromEntries(tables.map(({ name, kind }) => [name, kind]))
    // The types do not tell tables from foreign ones.
    expect(kinds).toEqual({ 'log entries': undefined, depths: 'view' })
    const entries = tables.find(({ name }) => name === 'log entries')
    const key = { name: 'log_voyage_fkey', table: 'voyages', pairs: [{ ours: 'voyage', theirs: 'id' }] }
    expect(entries && keysFrom(entries)).toEqual([key])
    const to = (table: string) => keysTo({ schema: 'public', table }, new Map([['public', tables]]))
    expect([to('voyages'), to('depths')]).toEqual([[{ schema: 'public', info: entries, key }], []])
  })

  test('of the earlier generator', () => {
    const [vessels] = tablesOf(OLD)
    expect(
      vessels?.columns.map(({ name, type, format, required, hasDefault, generation }) =>
        [name, type, format, required, hasDefault, generation].join(' '),
      ),
    ).toEqual([
      'id number number true true ',
      'name text text true false ',
      'rig enum rig true true ',
      'tags array text[] false false ',
      'extra json json false false ',
      'afloat boolean boolean true false ',
      'total number number false true generated',
      'full_name text text false true generated',
    ])
    expect(vessels?.columns[2]?.options).toEqual(['sloop', 'ketch'])
    const read = readDatabaseTypes(OLD)
    const functions = read.ok ? read.schemas.get('public')?.functions : []
    expect(functions?.map(({ name, args }) => [name, args.map(arg => [arg.name, arg.hasDefault])])).toEqual([
      ['ping', []],
      [
        'sail',
        [
          ['boat', false],
          ['knots', true],
        ],
      ],
    ])
  })

  test('of the current generator, with relationships, views and overloads', () => {
    const [depths, log] = tablesOf(NEW)
    expect([depths?.name, depths?.rights.insert]).toEqual(['depths', false])
    expect(log?.columns[1]).toMatchObject({ name: 'voyage', references: { table: 'voyages', column: 'id' } })
    const read = readDatabaseTypes(NEW)
    expect(read.ok && [...read.schemas.keys()]).toEqual(['graphql_public', 'public'])
    expect(read.ok && read.schemas.get('public')?.functions[0]?.args.map(({ name }) => name)).toEqual([
      'text',
    ])
  })

  test.each([
    ['export type Other = {}', 'No type "Database" was found.'],
    ['export type Database = string', 'not an object type'],
    ['export type Database = { public: { Tables: {', 'Line 1: expected the name of a member'],
    ['export type Database = {\n  public {\n', 'Line 2: expected ":" after "public"'],
    [
      'export type Database = {\n  public: {\n    Tables: { a: { Row: { id: } } }',
      'Line 3: expected a type, not "}"',
    ],
    ['export type Database = { auth: { Views: {} } }', 'no schema with the member "Tables"'],
    [`export type Database = ${'['.repeat(400)}`, 'nested too deeply'],
    ['', 'The text is empty.'],
    ['{"a":', 'This is not valid JSON'],
    ['{"a": 1}', 'This is not a schema file.'],
    ['{"format": "chartroom-schema", "version": 2, "schemas": {}}', 'has version 2'],
  ])('%j is explained', async (text, problem) => {
    const read = await readSchemaText(text.replaceAll('\\\n', '\n'))
    expect(read).toEqual({ ok: false, problem: expect.stringContaining(problem) })
  })

  test('a type of unusual size is read in linear time', () => {
    const rows = Array.from({ length: 20_000 }, (_, at) => `column_${at}: string | null`).join('\n')
    const [wide] = tablesOf(`export type Database = { public: { Tables: { wide: { Row: { ${rows} } } } } }`)
    expect(wide?.columns).toHaveLength(20_000)
  })
})

const column = (name: string, part: Partial<Column> = {}): Column => ({
  name,
  type: 'text',
  format: 'text',
  required: false,
  hasDefault: false,
  isKey: false,
  ...part,
})
const table = (name: string, columns: readonly Column[]): TableInfo => ({
  name,
  columns,
  isKnown: true,
  isKeyUnknown: true,
  rights: { insert: true, update: true, delete: true },
})

test.each([
  ['crates', ['name', 'crate_id', 'id'], [], ['id', 'crate_id']],
  ['entries', ['entry_id', 'note'], [], ['entry_id']],
  ['ports', ['name', 'id'], ['name'], ['name', 'id']],
  ['crew_boats', ['boat_id', 'crew_id'], [], ['boat_id+crew_id', 'boat_id', 'crew_id']],
  ['notes', ['text'], [], []],
])('the key of %s with %j may be', (name, columns, referenced, expected) => {
  const candidates = keyCandidates(
    table(
      name,
      columns.map(each => column(each)),
    ),
    new Set(referenced),
  )
  expect(candidates.map(each => each.map(one => one.name).join('+'))).toEqual(expected)
})

const answering = (answers: Readonly<Record<string, readonly [number, string]>>) => {
  const asked: string[] = []
  const fetch = async (path: string, init: RequestInit) => {
    asked.push(`${init.method} ${path} ${JSON.stringify(init.body)}`)
    const names = [...new URL(path, 'http://a').searchParams.keys()].join('+')
    const [status, code] = answers[names] ?? [405, 'PGRST105']
    return Response.json({ code, message: '' }, { status })
  }
  return { asked, client: { fetch } as unknown as Parameters<typeof findKey>[0] }
}
const never = new AbortController().signal

test.each([
  [{ code: [400, 'PGRST115'] as const }, ['code']],
  // The database refused, so PostgREST had accepted the key.
  [{ id: [401, '42501'] as const }, ['id']],
  [{ id: [400, '22P02'] as const }, ['id']],
  [{}, undefined],
  [{ id: [404, 'PGRST205'] as const }, undefined],
  [{ id: [503, 'PGRST002'] as const }, undefined],
])('a key is found by asking: %j', async (answers, expected) => {
  const { client, asked } = answering(answers)
  const candidates = [[column('id', { type: 'integer' })], [column('code')]]
  expect(await findKey(client, { schema: 'public', table: 'crates' }, candidates, never)).toEqual(expected)
  // The row that is named is never the row that is sent.
  expect(asked[0]).toBe(String.raw`PUT /rest/v1/crates?id=eq.0 "[{\"id\":1}]"`)
})

test('a table whose key is unknown is read-only, and says why', () => {
  const info = guessTable('crates', [{ id: 1, code: 'a' }])
  expect(readOnlyReason(withKey(info, undefined))).toMatch(/^Its primary key is not known/)
  const found = withKey(info, ['code'])
  expect([readOnlyReason(found), found.columns.map(({ isKey }) => isKey)]).toEqual([undefined, [false, true]])
})
