// Creates the public client: the machines with the supabase-js client on top.
import { createBoundClients, createClientCore } from './client-core.ts'
import type { ChartroomClient, ChartroomOptions, RecordedClient } from './client-types.ts'
import type { RunClient } from './runner.ts'
import { createDataClient, createSupabase } from './supabase-client.ts'

/**
 * Creates and starts a client for one backend. It loads the stored session and keeps it alive until
 * `dispose`. Create one per app, outside of rendering.
 * @throws TypeError if `url` is not an http(s) URL or `key` is empty
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
