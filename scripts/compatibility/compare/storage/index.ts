// The conversations with a storage server, and what both servers need before them.
import postgres from 'postgres'
import * as v from 'valibot'
import { signToken, type Conversation } from '../conversation.ts'
import type { Suite } from '../run.ts'
import { JWT_SECRET, serviceToken, type Server } from '../servers.ts'
import { ACCESS } from './access.ts'
import { BUCKETS } from './buckets.ts'
import { LISTS } from './lists.ts'
import { OBJECTS } from './objects.ts'
import { RESUMABLE } from './resumable.ts'
import { SIGNED } from './signed.ts'
import { UPLOADS } from './uploads.ts'

export { KNOWN_OF_STORAGE } from './known.ts'

const CONVERSATIONS: readonly Conversation[] = [
  ...BUCKETS,
  ...UPLOADS,
  ...OBJECTS,
  ...LISTS,
  ...SIGNED,
  ...RESUMABLE,
  ...ACCESS,
]

const HEADERS = [
  'accept-ranges',
  'allow',
  'cache-control',
  'content-disposition',
  'content-length',
  'content-range',
  'content-type',
  'etag',
  'expires',
  'last-modified',
  'location',
  'tus-extension',
  'tus-max-size',
  'tus-resumable',
  'tus-version',
  'upload-defer-length',
  'upload-length',
  'upload-metadata',
  'upload-offset',
  'x-robots-tag',
]

const [USER, OTHER] = ['11111111-1111-4111-8111-111111111111', '22222222-2222-4222-8222-222222222222']

/** Buckets are the conversation's own; users may work with `…-shared` buckets. */
function firstVariables(index: number): Readonly<Record<string, string>> {
  const claims = { aud: 'authenticated', role: 'authenticated' }
  const [past, future] = [1_700_000_000, 4_000_000_000]
  const bucket = `compare-${index + 1}`
  return {
    bucket,
    shared: `${bucket}-shared`,
    userId: USER,
    service: serviceToken(),
    anon: signToken({ role: 'anon', exp: future }, JWT_SECRET),
    user: signToken({ ...claims, sub: USER, exp: future }, JWT_SECRET),
    other: signToken({ ...claims, sub: OTHER, exp: future }, JWT_SECRET),
    expired: signToken({ ...claims, sub: USER, exp: past }, JWT_SECRET),
    forged: signToken({ ...claims, sub: USER, exp: future }, 'another secret of at least 32 characters'),
    unknownRole: signToken({ role: 'captain', sub: USER, exp: future }, JWT_SECRET),
  }
}

export const STORAGE: Suite = { conversations: CONVERSATIONS, firstVariables, headers: HEADERS }

/** Each user may write to the folder named by their id; all signed-in users may read. */
const POLICIES = `
grant usage on schema storage to anon, authenticated, service_role;
grant all on storage.buckets, storage.objects to anon, authenticated, service_role;
create policy compare_buckets on storage.buckets for select to authenticated using (id like '%-shared');
create policy compare_read on storage.objects for select to authenticated using (bucket_id like '%-shared');
create policy compare_insert on storage.objects for insert to authenticated with check (
  bucket_id like '%-shared' and (storage.foldername(name))[1] = (select auth.uid()::text));
create policy compare_update on storage.objects for update to authenticated using (
  bucket_id like '%-shared' and (storage.foldername(name))[1] = (select auth.uid()::text));
create policy compare_delete on storage.objects for delete to authenticated using (
  bucket_id like '%-shared' and (storage.foldername(name))[1] = (select auth.uid()::text));`

/** Makes the policies of a database's storage those that conversations expect. */
export async function preparePolicies(url: string): Promise<void> {
  const sql = postgres(url, { max: 1, onnotice: () => undefined })
  try {
    const policies = await sql<{ policyname: string; tablename: string }[]>`
      select policyname, tablename from pg_policies where schemaname = 'storage'`
    for (const { policyname, tablename } of policies)
      await sql`drop policy ${sql(policyname)} on storage.${sql(tablename)}`
    await sql.unsafe(POLICIES)
  } finally {
    await sql.end()
  }
}

const bucketsSchema = v.array(v.object({ id: v.string() }))
const HEADERS_OF_SERVICE = { authorization: `Bearer ${serviceToken()}` }

/** @throws Error if the server has buckets, which a comparison would delete, can't be reached, or has other keys */
export async function requireNoBuckets(server: Server): Promise<void> {
  const ids = await bucketsOf(server)
  if (ids.length > 0) throw new Error(`The original at ${server.base} has buckets. Compare with one without.`)
}

/** Removes all buckets with their files. */
export async function removeBuckets(server: Server): Promise<void> {
  for (const id of await bucketsOf(server)) {
    const path = `/bucket/${encodeURIComponent(id)}`
    await server.send({ method: 'POST', path: `${path}/empty`, headers: HEADERS_OF_SERVICE, body: undefined })
    await server.send({ method: 'DELETE', path, headers: HEADERS_OF_SERVICE, body: undefined })
  }
}

async function bucketsOf(server: Server): Promise<string[]> {
  const request = { method: 'GET', path: '/bucket', headers: HEADERS_OF_SERVICE, body: undefined }
  const { status, body } = await server.send(request).catch((error: unknown) => {
    throw new Error(`The original at ${server.base} can't be reached: ${String(error)}`)
  })
  const parsed = v.safeParse(bucketsSchema, body)
  if (parsed.success) return parsed.output.map(({ id }) => id)
  throw new Error(
    `The original at ${server.base} answered ${status} to its list of buckets. Start it with the keys of a local stack.`,
  )
}
