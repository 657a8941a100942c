// Creates the public client: the machines with the supabase-js client on top.
import type { SupabaseClient } from '@supabase/supabase-js'
import type { ChartroomClient, RecordedClient, SchemaOf } from './client-types.ts'
import { createBoundClients, createClientCore } from './lazy-core.ts'
import { checkOptions } from './option-rules.ts'
import type { ChartroomOptions } from './options.ts'
import type { RunClient } from './runner.ts'
import { createDataClient, createSupabase } from './supabase-client.ts'

type OtherOptions<Options> = Omit<Options, 'url' | 'key'>
type WithRecording = ChartroomOptions & { readonly recording: RunClient }
type InSchema<Schema> = ChartroomOptions & { readonly db: { readonly schema: Schema } }

/**
 * Creates a client for one backend. Creation reads and starts nothing: with the first call or subscription, the
 * client loads the stored session, handles a redirect URL, and keeps the session alive until `dispose`. Create one
 * per app. Called like `createClient` of supabase-js, with its options, or with one object.
 * @throws TypeError if `url` is not an http(s) URL or `key` is empty, for an unknown or unsupported option,
 * and in browsers for a secret key
 */
export function createChartroomClient<Database = unknown>(options: WithRecording): RecordedClient<Database>
export function createChartroomClient<Database = unknown>(
  options: ChartroomOptions,
): ChartroomClient<Database>
export function createChartroomClient<Database, Schema extends SchemaOf<Database>>(
  options: InSchema<Schema>,
): ChartroomClient<Database, SupabaseClient<Database, Schema>>
export function createChartroomClient<Database = unknown>(
  url: string,
  key: string,
  options: OtherOptions<WithRecording>,
): RecordedClient<Database>
export function createChartroomClient<Database = unknown>(
  url: string,
  key: string,
  options?: OtherOptions<ChartroomOptions>,
): ChartroomClient<Database>
export function createChartroomClient<Database, Schema extends SchemaOf<Database>>(
  url: string,
  key: string,
  options: OtherOptions<InSchema<Schema>>,
): ChartroomClient<Database, SupabaseClient<Database, Schema>>
export function createChartroomClient<Database>(
  // No string where an app reads unset variables.
  input: string | ChartroomOptions | URL | null | undefined,
  key = '',
  options: OtherOptions<ChartroomOptions> = {},
): ChartroomClient<Database, SupabaseClient<Database>> {
  if (input instanceof URL) throw new TypeError('`url` must be a string: pass `url.href`.')
  const clientOptions =
    typeof input === 'object' && input !== null ? input : { ...options, url: input ?? '', key }
  checkOptions(clientOptions)
  const { client, supabase, data } = createClientCore(clientOptions)
  return Object.assign(client, {
    supabase: createSupabase<Database>(...supabase),
    with: createBoundClients(requestOptions => createDataClient<Database>(...data(requestOptions))),
  })
}
