// Types of collections: rows are those of the `Database` type, or of the schema.
import { createCollection } from '@tanstack/db'
import * as v from 'valibot'
import { expectTypeOf, test } from 'vitest'
import type { ChartroomClient } from '../../src/public/index.ts'
import { chartroomCollectionOptions, startOutbox } from '../../src/public/db.ts'
import { attach } from '../../src/public/devtools/console.ts'
import { record } from '../../src/public/devtools/recording.ts'

interface Todo {
  id: string
  title: string
}
interface Database {
  public: { Tables: { todos: { Row: Todo } } }
}
declare const client: ChartroomClient<Database>
declare const untyped: ChartroomClient

test('rows of a table', () => {
  const todos = createCollection(chartroomCollectionOptions({ client, table: 'todos' }))
  expectTypeOf(todos.get('1')?.title).toEqualTypeOf<string | undefined>()
  expectTypeOf(todos.utils.status().phase).toEqualTypeOf<
    'waiting' | 'signedOut' | 'loading' | 'ready' | 'retrying' | 'failed'
  >()
  // @ts-expect-error there is no such table
  chartroomCollectionOptions({ client, table: 'todo' })
  startOutbox({ client, collections: { todos }, record })
  startOutbox({ client, collections: { todos }, record: attach })
})

test('without a `Database` type, the schema names the columns', () => {
  const schema = v.object({ id: v.string(), done: v.boolean() })
  const todos = createCollection(chartroomCollectionOptions({ client: untyped, table: 'todos', schema }))
  expectTypeOf(todos.get('1')?.done).toEqualTypeOf<boolean | undefined>()
  const any = createCollection(chartroomCollectionOptions({ client: untyped, table: 'todos' }))
  expectTypeOf(any.get('1')?.['done']).toEqualTypeOf<unknown>()
})
