// Types of the public API: what an app may write, and what the compiler must reject.
import type { SupabaseClient, SupabaseClientOptions } from '@supabase/supabase-js'
import { expectTypeOf, test } from 'vitest'
import {
  createChartroomClient,
  type ChannelHandle,
  type ChartroomClient,
  type ChartroomUser,
  type ClientStatus,
  type Result,
  type UploadPhase,
  type UploadStatus,
} from '../../src/public/index.ts'
import { useStatus } from '../../src/public/react.ts'
import type { KnownOption } from '../../src/services/client/option-rules.ts'
import type { OptionPath } from '../harness/option-wire.ts'

interface Database {
  public: {
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
}

declare const client: ChartroomClient<Database>

test('without database types, rows are any, as with createClient', async () => {
  const untyped = createChartroomClient('', '')
  expectTypeOf(untyped.supabase).toEqualTypeOf<SupabaseClient>()
  const { data } = await untyped.supabase.from('vessels').select('id, name')
  expectTypeOf(data?.[0]?.name).toBeAny()
})

type Official = Required<SupabaseClientOptions<'public'>>
type Group = 'db' | 'auth' | 'global' | 'realtime' | 'storage'
type OfficialPath =
  Exclude<keyof Official, Group> | { [Name in Group]: `${Name}.${keyof Official[Name] & string}` }[Group]

test('every option of createClient, and each of ours, has a rule', () => {
  expectTypeOf<OfficialPath>().toExtend<KnownOption>()
  expectTypeOf<OptionPath>().toExtend<KnownOption>()
})

test('generated database types pass through', async () => {
  expectTypeOf(createChartroomClient<Database>({ url: '', key: '' })).toEqualTypeOf<
    ChartroomClient<Database>
  >()
  const { data } = await client.supabase.from('vessels').select('id, name')
  expectTypeOf(data).toEqualTypeOf<{ id: number; name: string }[] | null>()
  // @ts-expect-error there is no such table
  await client.supabase.from('vehicles').select()
  // @ts-expect-error a name is a string
  await client.supabase.from('vessels').insert({ name: 1 })
})

test('values that the official client accepts are accepted here', () => {
  expectTypeOf(client.supabase).toEqualTypeOf<SupabaseClient<Database>>()
})

test('auth and realtime are not exposed on the data client', () => {
  expectTypeOf<keyof ReturnType<typeof client.with>>().extract<'auth' | 'channel' | 'realtime'>().toBeNever()
})

test('`ok` narrows a result', async () => {
  const result = await client.auth.signInWithPassword({ email: 'a@b.c', password: 'p' })
  expectTypeOf(result).toEqualTypeOf<Result<ChartroomUser>>()
  // @ts-expect-error no value without checking `ok`
  expectTypeOf(result.value).toBeAny()
  if (result.ok) expectTypeOf(result.value).toEqualTypeOf<ChartroomUser>()
})

test('a status is narrowed by its phase', () => {
  const { session } = client.status()
  if (session.phase === 'authenticated') expectTypeOf(session.token.expiresAt).toBeNumber()
  // @ts-expect-error only `signedOut` has a reason
  expectTypeOf(session.reason).toBeAny()
  expectTypeOf(useStatus<ClientStatus['network']>).returns.toEqualTypeOf<'online' | 'offline'>()
})

test('channel listeners get the payload of their kind', () => {
  const channel: ChannelHandle = client.channel('bridge')
  channel.on('change', change => expectTypeOf(change.type).toEqualTypeOf<'INSERT' | 'UPDATE' | 'DELETE'>())
  // @ts-expect-error there is no such kind
  channel.on('weather', () => undefined)
})

test('an upload has a phase, and accepts only known answers', async () => {
  expectTypeOf(client.uploads.list()).toEqualTypeOf<readonly UploadStatus[]>()
  expectTypeOf<UploadStatus['phase']>().toEqualTypeOf<UploadPhase>()
  expectTypeOf<UploadPhase>()
    .extract<'asking' | 'offline' | 'done'>()
    .toEqualTypeOf<'asking' | 'offline' | 'done'>()
  const file = { bucket: 'charts', path: 'a.png', content: new Blob() }
  expectTypeOf(await client.uploads.add([file])).toEqualTypeOf<readonly string[]>()
  client.uploads.answer('1', 'keepBoth', true)
  // @ts-expect-error not a valid choice
  client.uploads.answer('1', 'ask')
  // @ts-expect-error the content must be a Blob
  await client.uploads.add([{ ...file, content: 'text' }])
})
