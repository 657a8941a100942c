// The client as apps make it: the machines with the official client above them.
import { createBoundClients } from './bound-clients.ts'
import { createClientCore } from './client-core.ts'
import type { ChartroomClient, ChartroomOptions, RecordedClient } from './client-types.ts'
import type { RunClient } from './runner.ts'
import { createDataClient, createSupabase } from './supabase-client.ts'

/**
 * Creates a client for one backend and starts it: it reads the stored session and keeps it alive until
 * `dispose`. Make one for each app, outside of rendering.
 *
 * @throws TypeError when `url` is not an http(s) URL or `key` is empty.
 */
export function createChartroomClient<Database = unknown>(
  options: ChartroomOptions & { readonly recording: RunClient },
): RecordedClient<Database>
export function createChartroomClient<Database = unknown>(
  options: ChartroomOptions,
): ChartroomClient<Database>
export function createChartroomClient<Database = unknown>(
  options: ChartroomOptions,
): ChartroomClient<Database> {
  const { client, supabase, data } = createClientCore(options)
  return {
    ...client,
    supabase: createSupabase<Database>(...supabase),
    with: createBoundClients(asked => createDataClient<Database>(...data(asked))),
  }
}
