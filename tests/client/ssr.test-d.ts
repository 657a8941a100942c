// Types of `chartroom/ssr`: those of @supabase/ssr, so that an app changes only where it imports from.
import * as official from '@supabase/ssr'
import type { SupabaseClient, SupabaseClientOptions } from '@supabase/supabase-js'
import { expectTypeOf, test } from 'vitest'
import type { ChartroomClient } from '../../src/public/index.ts'
import {
  chartroomOf,
  createBrowserClient,
  createServerClient,
  type ServerClientOptions,
} from '../../src/public/ssr.ts'
import { recordEverything } from '../../src/public/devtools/recording.ts'

interface Schema {
  Tables: {
    vessels: {
      Row: { id: number; name: string }
      Insert: { id?: number; name: string }
      Update: { id?: number; name?: string }
      Relationships: []
    }
  }
  Views: { [_ in never]: never }
  Functions: { [_ in never]: never }
}
interface Database {
  public: Schema
  archive: Schema
}
/** As `supabase gen types` writes it today. */
interface Generated extends Database {
  __InternalSupabase: { PostgrestVersion: '13.0.5' }
}

const url = ''
const key = ''
const cookies = { getAll: () => [], setAll: () => undefined }
declare const one: { get: (name: string) => string | undefined; set: () => void; remove: () => void }

test('a server client has the type that @supabase/ssr gives it', () => {
  expectTypeOf(createServerClient(url, key, { cookies })).toEqualTypeOf(
    official.createServerClient(url, key, { cookies }),
  )
  expectTypeOf(createServerClient<Database>(url, key, { cookies })).toEqualTypeOf(
    official.createServerClient<Database>(url, key, { cookies }),
  )
  expectTypeOf(createServerClient<Generated>(url, key, { cookies })).toEqualTypeOf<
    SupabaseClient<Generated>
  >()
  expectTypeOf<ReturnType<typeof createServerClient<Generated>>>().toEqualTypeOf<SupabaseClient<Generated>>()
  const archive = createServerClient<Database, 'archive'>(url, key, {
    cookies,
    auth: { persistSession: false, storageKey: 'a', debug: true },
    db: { schema: 'archive' },
    global: { headers: { 'x-a': '1' }, fetch },
    realtime: { timeout: 1 },
    cookieOptions: { name: 'a', domain: 'a.test' },
    cookieEncoding: 'raw',
  })
  expectTypeOf(archive).toEqualTypeOf(
    official.createServerClient<Database, 'archive'>(url, key, { cookies, db: { schema: 'archive' } }),
  )
  // @ts-expect-error there is no such schema
  createServerClient<Database, 'other'>(url, key, { cookies })
})

test('a browser client has the type that @supabase/ssr gives it', () => {
  expectTypeOf(createBrowserClient(url, key)).toEqualTypeOf(official.createBrowserClient(url, key))
  expectTypeOf(createBrowserClient<Generated>(url, key)).toEqualTypeOf(
    official.createBrowserClient<Generated>(url, key),
  )
  expectTypeOf(createBrowserClient<Database, 'archive'>(url, key, { isSingleton: false })).toEqualTypeOf(
    official.createBrowserClient<Database, 'archive'>(url, key, { isSingleton: false }),
  )
  expectTypeOf<ReturnType<typeof createBrowserClient<Database>>>().toEqualTypeOf<SupabaseClient<Database>>()
  const typed: SupabaseClient<Database> = createBrowserClient(url, key)
  expectTypeOf(typed).toEqualTypeOf<SupabaseClient<Database>>()
})

test('so has what apps derive from the functions', () => {
  expectTypeOf<ReturnType<typeof createServerClient>>().toEqualTypeOf<
    ReturnType<typeof official.createServerClient>
  >()
  expectTypeOf<ReturnType<typeof createBrowserClient>>().toEqualTypeOf<
    ReturnType<typeof official.createBrowserClient>
  >()
})

test('options of supabase-js, of @supabase/ssr and of Chartroom', () => {
  const options: SupabaseClientOptions<'public'> = {}
  createBrowserClient<Database, 'public'>(url, key, options)
  createServerClient<Database, 'public'>(url, key, { ...options, cookies })
  createBrowserClient(url, key, { timings: { joinTimeout: 1 }, recording: recordEverything() })
  expectTypeOf<
    Parameters<typeof official.createServerClient<Database, 'public'>>[2]
  >().toExtend<ServerClientOptions>()
  // @ts-expect-error there is no such option
  createBrowserClient(url, key, { isSingelton: false })
})

test('cookies: both forms, whose parameters have types', () => {
  createServerClient(url, key, { cookies: one })
  createServerClient(url, key, { cookies: { get: name => name } })
  createBrowserClient(url, key, { cookies: one })
  createBrowserClient(url, key, { cookies: { encode: 'user-and-tokens' } })
  createServerClient(url, key, {
    cookies: {
      getAll: async () => Promise.resolve(null),
      setAll(all, headers) {
        expectTypeOf(all).toEqualTypeOf<{ name: string; value: string; options: official.CookieOptions }[]>()
        expectTypeOf(headers).toEqualTypeOf<Record<string, string>>()
      },
    },
  })
  // @ts-expect-error a server reads cookies
  createServerClient(url, key, {})
})

test('a page or a server, by where it runs', async () => {
  const supabase = official.isBrowser()
    ? createBrowserClient<Database>(url, key)
    : createServerClient<Database>(url, key, { cookies: { getAll: () => [] } })
  const { data } = await supabase.from('vessels').select('id')
  expectTypeOf(data).toEqualTypeOf<{ id: number }[] | null>()
})

test('chartroomOf keeps the types of the database', () => {
  expectTypeOf(chartroomOf(createBrowserClient<Database>(url, key))).toEqualTypeOf<
    ChartroomClient<Database>
  >()
  expectTypeOf(chartroomOf(createBrowserClient<Generated>(url, key)).supabase).toEqualTypeOf<
    SupabaseClient<Generated>
  >()
  expectTypeOf(chartroomOf(createBrowserClient(url, key)).supabase).toEqualTypeOf<SupabaseClient>()
  expectTypeOf(chartroomOf(createBrowserClient<Database, 'archive'>(url, key)).supabase).toEqualTypeOf<
    SupabaseClient<Database, 'archive'>
  >()
})
