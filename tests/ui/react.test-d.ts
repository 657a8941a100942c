// Types of the hooks: rows are typed by the query, and an error has no data.
import { expectTypeOf, test } from 'vitest'
import type { ChannelHandle, DataClient, SessionStatus } from '../../src/public/index.ts'
import {
  useChannel,
  useChannelEvent,
  useClient,
  useRequest,
  useSession,
  useStatus,
  useSuspenseRequest,
} from '../../src/public/react.ts'

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
type Supabase = DataClient<Database>

test('the data of a request is that of its response', () => {
  const list = (supabase: Supabase) => supabase.from('vessels').select('name')
  expectTypeOf(useRequest('v', list).data).toEqualTypeOf<{ name: string }[] | undefined>()
  expectTypeOf(useSuspenseRequest('v', list).data).toEqualTypeOf<{ name: string }[]>()
  const one = (supabase: Supabase) => supabase.from('vessels').select('id').single()
  expectTypeOf(useSuspenseRequest(['v', 1], one).data).toEqualTypeOf<{ id: number }>()
  expectTypeOf(useRequest('n', () => Promise.resolve(7)).data).toEqualTypeOf<number | undefined>()
  // @ts-expect-error there is no such table
  useRequest('v', (supabase: Supabase) => supabase.from('vehicles').select())
  // @ts-expect-error a request returns a promise
  useRequest('v', () => 7)
})

test('the other hooks', () => {
  expectTypeOf(useSession()).toEqualTypeOf<SessionStatus>()
  expectTypeOf(useStatus(({ network }) => network)).toEqualTypeOf<'online' | 'offline'>()
  expectTypeOf(useClient<Database>().supabase.from).toBeFunction()
  const { handle } = useChannel('bridge')
  expectTypeOf(handle).toEqualTypeOf<ChannelHandle | undefined>()
  useChannelEvent(handle, 'change', change =>
    expectTypeOf(change.type).toEqualTypeOf<'INSERT' | 'UPDATE' | 'DELETE'>(),
  )
  // @ts-expect-error there is no such kind
  useChannelEvent(handle, 'weather', () => undefined)
})
