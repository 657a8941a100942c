// Rows of storage.objects that name files outside the object folder: in a seed, over REST and in an import.
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import postgres from 'postgres'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startBackend, type Backend } from '../../../backend/index.ts'
import { exportData, importData } from '../../../backend/transfer/index.ts'
import { officialClient } from '../../harness/backend.ts'
import { isOnServer } from '../../harness/engine.ts'

const root = mkdtempSync(join(tmpdir(), 'chartroom-paths-'))
const data = join(root, 'data')
const secretFile = join(root, 'secret.txt')
/** From `data/objects/..`, the folder in which versions are resolved, to the secret. */
const HOSTILE = '../secret.txt'

const BUCKETS = `
insert into storage.buckets (id, name, public) values ('pub', 'pub', true), ('docs', 'docs', false);
create policy own on storage.objects for all to authenticated using (owner_id = auth.uid()::text)
  with check (owner_id = auth.uid()::text and (metadata ->> 'size')::int < 1000);`

const hostileRow = (name: string) =>
  `insert into storage.objects (bucket_id, name, version, metadata) values
   ('pub', '${name}', '${HOSTILE}', '{"mimetype": "text/plain", "cacheControl": "no-cache", "eTag": "x"}');`

function projectOf(name: string, seed: string): string {
  const files = {
    'config.toml': '[api]\nschemas = ["public", "storage"]\n[auth.email]\nenable_confirmations = false\n',
    'migrations/20250101000000_buckets.sql': BUCKETS,
    'seed.sql': seed,
  }
  for (const [file, text] of Object.entries(files)) {
    const path = join(root, name, 'supabase', file)
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, text)
  }
  return join(root, name)
}

// A seed runs as the database owner, who can drop the constraint first.
const project = projectOf(
  'project',
  `alter table storage.objects drop constraint if exists objects_version_check;
   ${['read', 'copied', 'moved', 'replaced', 'removed'].map(hostileRow).join('\n')}`,
)
const running: Backend[] = []
const start = async (dir: string, files = project) => {
  const backend = await startBackend({ data: { dir }, project: files, port: 0, databaseAccess: {} })
  running.push(backend)
  return backend
}

beforeAll(() => writeFileSync(secretFile, 'a file of the developer'))
afterAll(async () => {
  await Promise.all(running.map(backend => backend.stop()))
  rmSync(root, { recursive: true, force: true })
})

async function expectUnread(backend: Backend, name: string): Promise<void> {
  const response = await fetch(`${backend.url}/storage/v1/object/public/pub/${name}`)
  expect({ status: response.status, body: await response.json() }).toMatchObject({
    status: 400,
    body: { code: 'NoSuchKey' },
  })
}

const patch = (backend: Backend, token: string, change: object) =>
  fetch(`${backend.url}/rest/v1/objects?name=eq.a.txt`, {
    method: 'PATCH',
    headers: {
      apikey: backend.publishableKey,
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      'content-profile': 'storage',
    },
    body: JSON.stringify(change),
  })

test('no row makes the backend read, copy or delete a file outside the object folder', async () => {
  const backend = await start(data)
  const pub = officialClient(backend, backend.secretKey).storage.from('pub')
  const refused = { data: null, error: expect.objectContaining({ name: 'StorageApiError' }) }
  await expectUnread(backend, 'read')
  expect(await pub.copy('copied', 'copy')).toEqual(refused)
  expect((await pub.move('moved', 'read-later')).error).toBeNull()
  await expectUnread(backend, 'read-later')
  const [signed] = (await pub.createSignedUrls(['read'], 60)).data ?? []
  expect((await fetch(signed?.signedUrl ?? '')).status).toBe(400)
  expect((await pub.upload('replaced', 'new', { upsert: true })).error).toBeNull()
  expect(await (await pub.download('replaced')).data?.text()).toBe('new')
  expect((await pub.remove(['removed'])).data).toHaveLength(1)
  expect(readFileSync(secretFile, 'utf8')).toBe('a file of the developer')
})

test('users of an exposed storage schema cannot write version or owner', async () => {
  const backend = running.at(-1) ?? (await start(data))
  const eve = officialClient(backend)
  const { data: signUp } = await eve.auth.signUp({ email: 'eve@evil.test', password: 'harbour-demo-1' })
  const token = signUp.session?.access_token ?? ''
  const docs = eve.storage.from('docs')
  expect((await docs.upload('a.txt', 'mine')).error).toBeNull()
  for (const change of [
    { version: HOSTILE },
    { version: crypto.randomUUID() },
    { owner: null },
    { owner_id: 'x' },
  ]) {
    expect((await patch(backend, token, change)).status).toBe(403)
  }
  expect((await patch(backend, token, { user_metadata: { tag: 'x' } })).status).toBe(204)
  const rows = eve.schema('storage').from('objects')
  expect((await rows.insert({ bucket_id: 'docs', name: 'b.txt', version: HOSTILE })).error?.code).toBe(
    '42501',
  )
  expect((await rows.insert({ bucket_id: 'docs', name: 'c.txt', metadata: { size: 1 } })).error).toBeNull()
  expect((await rows.select('name, owner_id').order('name')).data).toEqual(
    ['a.txt', 'c.txt'].map(name => ({ name, owner_id: signUp.user?.id })),
  )
  expect(await (await docs.download('a.txt')).data?.text()).toBe('mine')
  for (const metadata of [{ mimetype: 'a\nb', eTag: 'ä€', lastModified: 5 }, [], null, {}, 'text']) {
    await patch(backend, token, { metadata })
    expect(await (await docs.download('a.txt')).data?.text()).toBe('mine')
    expect((await docs.info('a.txt')).error).toBeNull()
  }
  expect((await docs.upload('a.txt', 'mine again', { upsert: true })).error).toBeNull()
  expect(await (await docs.download('a.txt')).data?.text()).toBe('mine again')
  expect((await docs.upload('large.txt', 'x'.repeat(2_000))).error).toMatchObject({ status: 400 })
  expect((await docs.remove(['a.txt', 'c.txt'])).data).toHaveLength(2)
})

test('an imported folder of an earlier version is repaired at startup', async () => {
  const backend = running.pop() ?? (await start(data))
  const before = postgres(backend.databaseUrl ?? '', { max: 1 })
  await before.unsafe(`comment on schema storage is null;
    grant all on all tables in schema storage to anon, authenticated;
    update storage.objects set version = '${HOSTILE}'`)
  await before.end()
  await backend.stop()
  await exportData(data, join(root, 'export'), { withSecrets: true, force: false })
  // A server's cluster needs the user's trust.
  await importData(join(root, 'export'), join(root, 'imported'), { force: false, trust: isOnServer })
  const imported = await start(join(root, 'imported'))
  await expectUnread(imported, 'read')
  const after = postgres(imported.databaseUrl ?? '', { max: 1 })
  const [state] = await after.unsafe(`select
    (select count(*)::int from storage.objects where version = '${HOSTILE}') hostile,
    has_column_privilege('authenticated', 'storage.objects', 'version', 'update') may,
    has_table_privilege('anon', 'storage.objects', 'truncate') truncate`)
  const update = after.unsafe(`update storage.objects set version = '${HOSTILE}'`)
  await expect(update).rejects.toThrow('objects_version_check')
  await after.end()
  expect(state).toEqual({ hostile: 0, may: false, truncate: false })
  expect(existsSync(secretFile)).toBe(true)
})

test('a seed with such a row is rejected with its name', async () => {
  const files = projectOf('hostile', hostileRow('read'))
  await expect(start(join(root, 'other'), files)).rejects.toThrow(/seed\.sql.*objects_version_check/s)
})
