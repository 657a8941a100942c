// Projects in the shapes of public ones, each with what has stopped some: they start unmodified, and the official client
// gets the rows of its role. The expected rows are written by hand from the projects' SQL.
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { REALTIME_SUBSCRIBE_STATES, type SupabaseClient } from '@supabase/supabase-js'
import { afterEach, expect, test } from 'vitest'
import { startBackend, type Backend, type BackendOptions } from '../../../backend/index.ts'
import { officialClient } from '../../harness/backend.ts'
import { isOnServer, testOnPglite } from '../../harness/engine.ts'

const CORPUS = fileURLToPath(new URL('corpus', import.meta.url))
const running: Backend[] = []
afterEach(() => Promise.all(running.splice(0).map(backend => backend.stop())))

interface Started {
  readonly backend: Backend
  readonly anon: SupabaseClient
  readonly service: SupabaseClient
  /** Signs up and in. */
  newUser(name: string): Promise<SupabaseClient>
}

async function start(project: string, options: Partial<BackendOptions> = {}): Promise<Started> {
  const backend = await startBackend({
    data: 'memory',
    port: 0,
    deno: false,
    project: join(CORPUS, project),
    ...options,
  })
  running.push(backend)
  return {
    backend,
    anon: officialClient(backend),
    service: officialClient(backend, backend.secretKey),
    async newUser(name) {
      const client = officialClient(backend)
      const { data, error } = await client.auth.signUp({
        email: `${name}@example.test`,
        password: 'harbor-demo-1',
        options: { data: { full_name: name } },
      })
      expect(error).toBeNull()
      expect(data.session).not.toBeNull()
      return client
    },
  }
}

/** The rows, or the code of the error. */
async function rows(query: PromiseLike<{ data: unknown; error: { code: string } | null }>) {
  const { data, error } = await query
  return error ? error.code : data
}

const signIn = (client: SupabaseClient, email: string) =>
  client.auth.signInWithPassword({ email, password: 'password123' })

test('saas: teams with policies through private functions, triggers on users, an enum changed in place', async () => {
  const { backend, anon, service, newUser } = await start('saas')
  expect(backend.project?.notHonored).toEqual([
    'db.port',
    'db.shadow_port',
    '[studio]',
    'auth.external.github.client_id',
    'auth.external.github.secret',
  ])
  expect(await rows(anon.from('teams').select('name'))).toEqual([])
  expect(await rows(service.from('teams').select('name, slug'))).toEqual([
    { name: 'Blue Boats', slug: 'blue-boats' },
  ])
  const seeded = officialClient(backend)
  expect((await signIn(seeded, 'user1@example.test')).error).toBeNull()
  expect(await rows(seeded.from('teams').select('name, team_members (role)'))).toEqual([
    { name: 'Blue Boats', team_members: [{ role: 'owner' }] },
  ])
  const kim = await newUser('kim')
  expect(await rows(kim.from('profiles').select('email, full_name'))).toEqual([
    { email: 'kim@example.test', full_name: 'kim' },
  ])
  expect(await rows(kim.from('teams').insert({ name: 'Red Rafts' }).select('slug'))).toEqual([
    { slug: 'red-rafts' },
  ])
  expect(await rows(kim.from('teams').select('name'))).toEqual([{ name: 'Red Rafts' }])
  const renamed = kim.from('teams').update({ name: 'Green Rafts' }).neq('id', 0).select('name')
  expect(await rows(renamed)).toEqual([{ name: 'Green Rafts' }])
  const before = await service.from('profiles').select('updated_at').eq('full_name', 'kim').single()
  await kim.from('profiles').update({ full_name: 'Kim' }).neq('full_name', '')
  const after = await service.from('profiles').select('updated_at').eq('full_name', 'Kim').single()
  expect(Date.parse(after.data?.updated_at)).toBeGreaterThan(Date.parse(before.data?.updated_at))
  const admins = service.from('team_members').update({ role: 'admin' }).neq('team_id', 0).select('role')
  expect(await rows(admins)).toEqual([{ role: 'admin' }, { role: 'admin' }])
})

test('chat: partitions, broadcasts from triggers, realtime policies and files in own folders', async () => {
  const { anon, service, newUser } = await start('chat')
  expect(await rows(anon.from('messages').select('body'))).toEqual([{ body: 'Old: harbor' }])
  // PostgREST serves no partitions.
  expect(await rows(service.from('messages_2023').select('body'))).toBe('PGRST205')
  expect(await rows(service.from('messages').select('body').order('body'))).toEqual([
    { body: 'Old: bridge' },
    { body: 'Old: harbor' },
  ])
  const kim = await newUser('kim')
  const { data } = await service.from('rooms').select('id').eq('topic', 'bridge').single()
  const message = { room_id: String(data?.id), body: 'Ahoy' }
  expect(await rows(kim.from('messages').insert(message))).toBe('42501')
  const { data: user } = await kim.auth.getUser()
  const entry = { room_id: message.room_id, user_id: String(user.user?.id) }
  expect(await rows(kim.from('room_users').insert(entry))).toBeNull()
  await kim.realtime.setAuth()
  const heard: unknown[] = []
  const channel = kim.channel('room:bridge', { config: { private: true } })
  channel.on('broadcast', { event: '*' }, ({ event, payload }) => void heard.push([event, payload]))
  await new Promise<void>((resolve, reject) => {
    channel.subscribe((status, error) => {
      if (status === REALTIME_SUBSCRIBE_STATES.SUBSCRIBED) resolve()
      else if (error) reject(error)
    })
  })
  expect(await rows(kim.from('messages').insert(message))).toBeNull()
  await expect.poll(() => heard.length).toBe(2)
  const events = Object.fromEntries(heard as [string, Record<string, unknown>][])
  expect(events['said']).toMatchObject({ body: 'Ahoy' })
  expect(events['INSERT']).toMatchObject({ operation: 'INSERT', record: { body: 'Ahoy' }, schema: 'public' })
  await kim.removeAllChannels()
  const files = kim.storage.from('attachments')
  const text = new Blob(['log'], { type: 'text/plain' })
  expect((await files.upload(`${entry.user_id}/log.txt`, text)).error).toBeNull()
  expect((await files.upload(`other/log.txt`, text)).error).not.toBeNull()
  expect((await files.upload(`${entry.user_id}/log.bin`, text)).error).not.toBeNull()
  expect((await files.list(entry.user_id)).data?.map(({ name }) => name)).toEqual(['log.txt'])
  expect((await service.storage.getBucket('avatars')).data).toMatchObject({
    public: true,
    file_size_limit: 1_048_576,
    allowed_mime_types: ['image/png', 'image/jpeg'],
  })
})

test('cms: dumps of the remote schema and of all its data, with Windows line ends', async () => {
  const { backend, anon, service } = await start('cms')
  expect(await rows(anon.from('posts').select('title, body, tags'))).toEqual([
    { title: "Tides; and 'moons'", body: 'a\r\nb', tags: ['sea', 'two words'] },
  ])
  expect(await rows(anon.rpc('latest_posts').select('id'))).toEqual([{ id: 1 }])
  expect(await rows(service.from('posts').select('id').order('id'))).toEqual([{ id: 1 }, { id: 2 }])
  const ada = officialClient(backend)
  expect((await signIn(ada, 'ada@example.test')).error).toBeNull()
  expect(await rows(ada.from('posts').insert({ title: 'New' }).select('id, status'))).toEqual([
    { id: 3, status: 'draft' },
  ])
  const { data } = await service.storage.from('logos').list('a')
  expect(data?.map(({ name }) => name)).toEqual(['b.png'])
})

test('declarative: generated migrations, own roles, views in an exposed schema, seeds by globs', async () => {
  const { backend, newUser, ...clients } = await start('declarative')
  // The only exposed schema.
  const [anon, service] = [clients.anon.schema('api'), clients.service.schema('api')]
  expect(backend.project?.seeds).toEqual([
    'supabase/seeds/01_boats/a.sql',
    'supabase/seeds/01_boats/b.sql',
    'supabase/seeds/02_more.sql',
  ])
  const longest = anon.from('boats').select('name, length_m').not('length_m', 'is', null).order('name')
  expect(await rows(longest)).toEqual([
    { name: 'Gull', length_m: 12.5 },
    { name: 'Tern', length_m: 9.25 },
  ])
  expect((await anon.from('boats').select('*', { count: 'exact', head: true })).count).toBe(5)
  expect(await rows(service.rpc('longest'))).toBe('Gull')
  expect(await rows(anon.from('boats').insert({ id: crypto.randomUUID(), name: 'Skiff' }))).toBe('42501')
  const kim = (await newUser('kim')).schema('api')
  const add = (name: string) => rows(kim.from('boats').insert({ id: crypto.randomUUID(), name }))
  expect(await add('Skiff')).toBeNull()
  expect(await add('Tanker')).toBe('42501')
  expect(await rows(kim.from('boats').delete().eq('name', 'Skiff'))).toBe('42501')
  expect(await rows(kim.from('boats').update({ length_m: -1 }).eq('name', 'Gull'))).toBeNull()
})

test('jobs: pg_cron runs a function that works off a queue, with a secret of config.toml', async () => {
  const { anon, service } = await start('jobs')
  expect(await rows(anon.from('log').select('what'))).toEqual([])
  const texts = () => rows(service.from('log').select('what').order('id'))
  await expect
    .poll(texts, { timeout: 30_000 })
    .toEqual([{ what: 'call me' }, { what: 'hook me' }, { what: 'ada@example.test: hello from the vault' }])
  expect(await rows(anon.rpc('work_off'))).toBe('42501')
  expect(await rows(service.rpc('enqueue', { to_address: 'grace@example.test' }))).toBe(2)
})

test('shop: generated columns, exclusion constraints, materialized views that triggers refresh, indexes without locks', async () => {
  const { anon, service, newUser } = await start('shop')
  const products = anon.from('products').select('sku, gross, product_name').order('sku')
  expect(await rows(products)).toEqual([
    { sku: 'BUOY$1', gross: 30.35, product_name: "Buoy's" },
    { sku: 'ROPE-1', gross: 23.79, product_name: 'Rope; 10 m' },
    { sku: "SAIL'1", gross: 236.81, product_name: 'Small sail' },
  ])
  expect(await rows(anon.from('products').select('sku').textSearch('search', 'ropes'))).toEqual([
    { sku: 'ROPE-1' },
  ])
  expect(await rows(anon.from('products').insert({ sku: 'x', name: {}, price: 1 }))).toBe('42501')
  const kim = await newUser('kim')
  const items = [
    { sku: 'rope-1', quantity: 3 },
    { sku: 'buoy$1', quantity: 1 },
  ]
  expect((await kim.rpc('checkout', { items })).error).toBeNull()
  expect(await rows(kim.rpc('checkout', { items }))).toBe('23P01')
  expect(await rows(kim.from('order_totals').select('total'))).toEqual([{ total: 101.72 }])
  expect(await rows(service.from('order_totals').select('total'))).toEqual([{ total: 101.72 }])
  expect(await rows(anon.from('bestsellers').select('sku, sold').order('sku'))).toEqual([
    { sku: 'BUOY$1', sold: 1 },
    { sku: 'ROPE-1', sold: 3 },
    { sku: "SAIL'1", sold: 0 },
  ])
})

/** What stops a project, or `starts`. */
const refusal = (project: string): Promise<unknown> =>
  start(project).then(
    () => 'starts',
    (error: unknown) => error,
  )

/** A server may have the extension. */
const orStarts = (failure: unknown) => (isOnServer ? [failure, 'starts'] : [failure])

testOnPglite('vectors: similarity search', async () => {
  const { anon, service } = await start('vectors')
  const similar = anon.rpc('match_sections', {
    embedding: '[1,0.1,0]',
    match_threshold: 0.5,
    match_count: 5,
  })
  expect(await rows(similar)).toEqual([{ id: 1, content: 'High tide', similarity: 1 }])
  expect(await rows(anon.from('pages').select())).toEqual([])
  expect(await rows(service.from('pages').select('path'))).toEqual([{ path: '/tides' }])
})

test.runIf(isOnServer)('vectors: a server without pgvector names the engine that has it', async () => {
  const failure = expect.objectContaining({
    file: 'supabase/migrations/20230406025118_init.sql',
    line: 2,
    statement: 'create extension if not exists vector with schema extensions;',
    message: expect.stringContaining('The embedded one has it: --engine pglite.'),
  })
  expect(orStarts(failure)).toContainEqual(await refusal('vectors'))
})

test('hooks: claims from a function in SQL decide what policies allow', async () => {
  const { anon, service, newUser } = await start('hooks')
  const password = 'harbor-demo-1'
  const stranger = await anon.auth.signUp({ email: 'kim@example.org', password })
  expect(stranger.error?.message).toBe('Only for the harbor.')
  const [admin, other] = [await newUser('ada'), await newUser('grace')]
  const roleOf = async (client: SupabaseClient) => (await client.auth.getClaims()).data?.claims['user_role']
  // The role is given while the user is created, before the token is signed.
  expect(await roleOf(admin)).toBe('admin')
  expect(await roleOf(other)).toBeNull()
  expect(await rows(other.from('channels').delete().eq('id', 1).select())).toEqual([])
  expect(await rows(admin.from('channels').delete().eq('id', 1).select())).toEqual([
    { id: 1, slug: 'general' },
  ])
  expect(await rows(anon.from('channels').select())).toEqual([])
  expect(await rows(anon.from('user_roles').select())).toBe('42501')
  expect(await rows(service.from('channels').select('slug'))).toEqual([{ slug: 'random' }])
})

test('monorepo: a folder deeper, files of editors and branches, seeds in the order of their patterns', async () => {
  const { backend, service, newUser } = await start('monorepo/packages/db')
  expect(backend.project).toMatchObject({
    migrations: [
      'supabase/migrations/20230101000000_legacy.sql',
      'supabase/migrations/20240101000000_notes.sql',
      'supabase/migrations/20240102000000_from_branch.sql',
      'supabase/migrations/20240103000000_from_main.sql',
      'supabase/migrations/20240105000000_windows.sql',
    ],
    seeds: [
      'supabase/seeds/base.sql',
      'supabase/seeds/10_more.sql',
      'supabase/seeds/9_more.sql',
      'other/shared.sql',
    ],
    skipped: ['supabase/migrations/20200101000000_init.sql', 'supabase/migrations/new-migration.sql'],
    notHonored: ['[remotes]'],
  })
  // The config's max_rows is 2.
  expect(await rows(service.from('notes').select('id, text').order('id', { ascending: false }))).toEqual([
    { id: 40, text: 'shared' },
    { id: 30, text: '2' },
  ])
  const kim = await newUser('kim')
  expect(await rows(kim.rpc('note_count'))).toBe(4)
  expect(await rows(kim.rpc('echo', { message: 'b' }))).toBe('a: b')
})

test('audit: triggers that a loop creates, event triggers, own roles and deferred constraints', async () => {
  const { anon, service, newUser } = await start('audit')
  const kim = await newUser('kim')
  const balances = (client: SupabaseClient) =>
    rows(client.from('accounts').select('owner, balance').order('id'))
  expect(await balances(anon)).toEqual([])
  expect(await balances(kim)).toEqual([
    { owner: 'ada', balance: 70 },
    { owner: 'grace', balance: 80 },
  ])
  expect((await kim.rpc('move_money', { source: 1, target: 2, amount: 500 })).error).toMatchObject({
    code: '23514',
    message: 'Account 1 is overdrawn',
    hint: 'Deposit first.',
  })
  expect(await rows(kim.rpc('move_money', { source: 2, target: 1, amount: 80 }))).toBeNull()
  expect(await balances(service)).toEqual([
    { owner: 'ada', balance: 150 },
    { owner: 'grace', balance: 0 },
  ])
  expect(await rows(kim.from('transfers').select('amount.sum()'))).toEqual([{ sum: 110 }])
  const objects = service
    .from('ddl_log')
    .select('tag, object')
    .eq('object', 'public.seen_by_trigger')
    .order('id')
  expect(await rows(objects)).toEqual([
    { tag: 'CREATE TABLE', object: 'public.seen_by_trigger' },
    { tag: 'ALTER TABLE', object: 'public.seen_by_trigger' },
  ])
})

test('wrappers: extensions that only hosted projects have exist, and say so when they are called', async () => {
  const { backend, anon, service, newUser } = await start('wrappers')
  const file = 'supabase/migrations/20240201000000_extensions.sql'
  expect(backend.project?.emptyExtensions).toEqual(
    expect.arrayContaining([`wrappers (${file})`, `pg_graphql (${file})`, `pgaudit (${file})`]),
  )
  expect(await rows(anon.from('settings').select('value'))).toEqual([{ value: { size: 3 } }])
  expect(await rows(service.from('settings').insert({ id: 2, value: { size: 'x' } }))).toBe('23514')
  expect(await rows(service.from('secret_names').select())).toEqual([{ name: 'stripe_key' }])
  const kim = await newUser('kim')
  expect(await rows(kim.from('settings').select('id'))).toEqual([{ id: 1 }])
  expect(await rows(kim.from('secret_names').select())).toBe('42501')
  expect(await rows(service.rpc('advise'))).toBe('0A000')
  expect(await rows(service.rpc('resolve', { query: '{ __typename }' }))).toBe('0A000')
})

test('maps: a migration that needs PostGIS stops the start with its place, and can be skipped', async () => {
  const failure = expect.objectContaining({
    name: 'ProjectError',
    file: 'supabase/migrations/20240602000000_postgis.sql',
    line: 4,
    statement: 'create extension if not exists postgis with schema gis;',
    message: expect.stringContaining("a package such as Debian's postgresql-NN-postgis-3"),
  })
  expect(orStarts(failure)).toContainEqual(await refusal('maps'))
  const { backend, anon } = await start('maps', { skipMigrations: ['20240602000000'] })
  expect(backend.project).toMatchObject({
    migrations: [
      'supabase/migrations/20240601000000_places.sql',
      'supabase/migrations/20240603000000_more.sql',
    ],
    skippedMigrations: ['supabase/migrations/20240602000000_postgis.sql'],
  })
  const near = anon.rpc('near', { lat: 54.3, lng: 10.1, meters: 5_000 })
  expect(await rows(near.select('name'))).toEqual([{ name: 'Pier' }])
})
