// `npm start -- --project DIR` as a process: what it prints, serves and follows.
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createClient } from '@supabase/supabase-js'
import { expect, test } from 'vitest'
import { atTestEnd } from '../harness/endings.ts'
import { addressOf, configOf, start } from './started.ts'

const NOTES = `create table public.notes (body text not null);
grant select on public.notes to anon;`

/** A project outside of the repository; returns its folder. */
async function createProject(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'chartroom-start-project-'))
  atTestEnd(() => rm(folder, { recursive: true, force: true }))
  await mkdir(join(folder, 'supabase', 'migrations'), { recursive: true })
  await writeFile(join(folder, 'supabase', 'migrations', '20260101000000_notes.sql'), NOTES)
  await writeFile(join(folder, 'supabase', 'seed.sql'), "insert into public.notes values ('seeded');")
  return folder
}

test('serves a project with its app, follows its files, and keeps its data in the given folder', async () => {
  const folder = await createProject()
  const data = join(folder, 'data')
  const program = start('--port', '0', '--project', folder, '--data', data)
  const address = await addressOf(program)
  await program.says(/Applied supabase\/seed\.sql/)
  expect(program.output).toContain(`${folder} (watched)`)
  expect(program.output).toContain(`${data} (persistent)`)
  expect(program.output).toContain('none yet; the address offers to create one')
  const { key, accounts, ...config } = await configOf(address)
  expect({ ...config, accounts }).toEqual({
    name: folder.split('/').at(-1),
    url: address,
    accounts: [],
    schema: '/_chartroom/schema',
    project: '/_chartroom/project',
  })
  const client = createClient(address, key)
  expect((await client.from('notes').select()).data).toEqual([{ body: 'seeded' }])

  const file = join(folder, 'supabase', 'migrations', '20260102000000_tags.sql')
  await writeFile(file, 'create table public.tags (\n  name txt\n);')
  await program.says(
    /20260102000000_tags\.sql:2: type "txt" does not exist\.[\s\S]*> 2 \|[ ]{3}name txt[\s\S]*runs without it/,
  )
  await writeFile(file, 'create table public.tags (name text); grant select on public.tags to anon;')
  await program.says(/✓.* Applied supabase\/migrations\/20260102000000_tags\.sql/)
  expect((await client.from('tags').select()).error).toBeNull()
  await writeFile(file, 'create table public.tags (name text primary key);')
  await program.says(/20260102000000_tags\.sql differs from what was applied; reset the data to apply it/)
  expect(await program.signal('SIGINT')).toEqual({ code: 0, signal: null })

  // The documented flag at the next start.
  const again = start('--port', '0', '--project', folder, '--data', data, '--reset', '--yes')
  await addressOf(again)
  await again.says(/Applied supabase\/seed\.sql/)
  expect(again.output).not.toContain('differs')
  expect(await again.signal('SIGINT')).toEqual({ code: 0, signal: null })
})

test('a folder that is no project says what was looked for, and where it is', async () => {
  const folder = await createProject()
  const program = start('--project', join(folder, 'supabase', 'migrations'))
  expect(await program.ended).toEqual({ code: 2, signal: null })
  expect(program.output).toContain(`contains no folder "supabase"`)
  expect(program.output).toContain(`Did you mean ${folder}?`)
})
