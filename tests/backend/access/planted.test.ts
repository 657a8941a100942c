// Policy bugs planted in a correct project: `chartroom access --check` finds each, and names where and for whom.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { startProject, WIDE } from './project.ts'

const project = await startProject(WIDE)
const { sql, access, folder } = project
const snapshot = join(folder, 'access.snapshot.json')

interface Bug {
  readonly bug: string
  readonly plant: string
  readonly revert: string
  /** Resource, account and operation of a finding, and words of its causes. */
  readonly found: readonly [name: string, account: string, operation: string, cause: RegExp]
  /** Defaults to `wider`. */
  readonly change?: 'narrower' | 'different'
}

const OWN_NOTES =
  'drop policy "own" on notes; create policy "own" on notes for all to authenticated using (owner = auth.uid());'
const FILES = `(storage.foldername(name))[1] = (select auth.uid())::text`

/** Bugs of one round concern different resources, so that each finding belongs to one bug. */
const ROUNDS: readonly (readonly Bug[])[] = [
  [
    {
      // Policies without `using` let no row through.
      bug: 'a policy without using',
      change: 'narrower',
      plant:
        'drop policy "own" on notes; create policy "own" on notes for all to authenticated with check (owner = auth.uid());',
      revert: OWN_NOTES,
      found: ['notes', 'mate', 'select', /policy "own" on notes for all to authenticated .*with check/],
    },
    {
      bug: 'a forgotten with check: rows can be given away',
      plant: 'alter policy "edit" on posts with check (true);',
      revert: 'alter policy "edit" on posts with check (author = auth.uid());',
      found: ['posts', 'skipper', 'update', /policy "edit" on posts .*with check true/],
    },
    {
      bug: 'a deletion policy without owner',
      plant: 'alter policy "remove" on comments using (true);',
      revert: 'alter policy "remove" on comments using (author = auth.uid());',
      found: [
        'comments',
        'mate',
        'delete',
        /policy "remove" on comments for delete to authenticated using true/,
      ],
    },
    {
      bug: 'only auth.uid() is not null',
      plant: 'alter policy "own" on invoices using (auth.uid() is not null);',
      revert: 'alter policy "own" on invoices using (owner = auth.uid());',
      found: ['invoices', 'skipper', 'select', /auth\.uid\(\) IS NOT NULL/],
    },
    {
      bug: 'a grant to anon of a table without policies',
      plant: 'grant select on plans to anon;',
      revert: 'revoke select on plans from anon;',
      found: ['plans', 'anonymous', 'select', /Row-level security is disabled/],
    },
    {
      bug: 'a grant of a column that was hidden',
      plant: 'grant select (email) on profiles to authenticated;',
      revert: 'revoke select (email) on profiles from authenticated;',
      found: ['profiles', 'skipper', 'select', /policy "read" on profiles/],
    },
    {
      bug: 'a join table that everyone reads',
      plant: 'alter policy "own" on members using (true);',
      revert: 'alter policy "own" on members using (person = auth.uid());',
      found: ['members', 'mate', 'select', /policy "own" on members .*using true/],
    },
    {
      bug: 'a public bucket',
      plant: `update storage.buckets set public = true where id = 'charts';`,
      revert: `update storage.buckets set public = false where id = 'charts';`,
      found: ['charts', 'anonymous', 'read', /The bucket is public/],
    },
    {
      bug: 'a function of an administrator that everyone may execute',
      plant: 'grant execute on function remove_notes to public;',
      revert: 'revoke execute on function remove_notes from public;',
      found: ['remove_notes', 'anonymous', 'execute', /SECURITY DEFINER/],
    },
    {
      bug: 'the wrong column compared',
      plant: `alter policy "team" on documents using (exists (select from members m where m.team = m.team and m.person = auth.uid()));`,
      revert: `alter policy "team" on documents using (exists (select from members m where m.team = documents.team and m.person = auth.uid()));`,
      found: ['documents', 'mate', 'select', /policy "team" on documents/],
    },
  ],
  [
    {
      bug: 'or true',
      plant: 'alter policy "own" on notes using (owner = auth.uid() or true);',
      revert: OWN_NOTES,
      found: ['notes', 'skipper', 'delete', /policy "own" on notes for all .*OR true/],
    },
    {
      bug: 'an update policy without owner, with a check of the new row',
      plant: 'alter policy "edit" on posts using (true);',
      revert: 'alter policy "edit" on posts using (author = auth.uid());',
      found: ['posts', 'mate', 'update', /policy "edit" on posts .*using true/],
    },
    {
      bug: 'an insert policy that checks nothing',
      plant: 'alter policy "write" on comments with check (true);',
      revert: 'alter policy "write" on comments with check (author = auth.uid());',
      found: ['comments', 'skipper', 'insert', /policy "write" on comments .*with check true/],
    },
    {
      bug: 'a bucket policy without owner',
      plant: `alter policy "own folder insert" on storage.objects with check (bucket_id = 'charts');`,
      revert: `alter policy "own folder insert" on storage.objects with check (bucket_id = 'charts' and ${FILES});`,
      found: ['charts', 'mate', 'write', /policy "own folder insert" on storage\.objects/],
    },
    {
      bug: 'a grant of updates to a column that decides about rights',
      plant: 'grant update (email) on profiles to authenticated;',
      revert: 'revoke update (email) on profiles from authenticated;',
      found: ['profiles', 'mate', 'update', /policy "edit" on profiles/],
    },
    {
      bug: 'a restrictive policy that is gone',
      plant: 'drop policy "current" on documents;',
      revert:
        'create policy "current" on documents as restrictive for select to authenticated using (not archived);',
      found: ['documents', 'skipper', 'select', /policy "team" on documents/],
    },
    {
      bug: 'row-level security disabled',
      plant: 'alter table invoices disable row level security;',
      revert: 'alter table invoices enable row level security;',
      found: ['invoices', 'mate', 'select', /Row-level security is disabled/],
    },
  ],
  [
    {
      bug: 'using (true) on a table that everyone may delete from',
      plant: 'alter policy "own" on notes using (true);',
      revert: OWN_NOTES,
      found: ['notes', 'mate', 'update', /policy "own" on notes .*using true/],
    },
    {
      bug: 'a policy for public instead of authenticated',
      plant: 'drop policy "read" on posts; create policy "read" on posts for select using (true);',
      revert:
        'drop policy "read" on posts; create policy "read" on posts for select to authenticated using (true);',
      found: ['posts', 'anonymous', 'select', /policy "read" on posts for select to public/],
    },
    {
      bug: 'a bucket in which everyone deletes',
      plant: `alter policy "own folder delete" on storage.objects using (bucket_id = 'charts');`,
      revert: `alter policy "own folder delete" on storage.objects using (bucket_id = 'charts' and ${FILES});`,
      found: ['charts', 'mate', 'delete', /policy "own folder delete" on storage\.objects/],
    },
  ],
  [
    {
      bug: 'a view without security_invoker',
      plant: 'alter view note_list set (security_invoker = false);',
      revert: 'alter view note_list set (security_invoker = true);',
      found: ['note_list', 'mate', 'select', /runs with its owner’s rights/],
    },
    {
      bug: 'a SECURITY DEFINER function that returns all rows',
      plant: 'alter function my_notes security definer;',
      revert: 'alter function my_notes security invoker;',
      found: ['my_notes', 'skipper', 'execute', /SECURITY DEFINER/],
    },
    {
      bug: 'a function that takes the owner as an argument',
      plant: 'alter function notes_of security definer;',
      revert: 'alter function notes_of security invoker;',
      found: ['notes_of', 'mate', 'execute', /SECURITY DEFINER/],
    },
    {
      bug: 'a count of another account’s rows',
      change: 'different',
      plant: 'alter function note_count security definer;',
      revert: 'alter function note_count security invoker;',
      found: ['note_count', 'skipper', 'execute', /SECURITY DEFINER/],
    },
    {
      bug: 'a materialized view',
      plant:
        'create materialized view note_texts as select id, owner, text from notes; revoke all on note_texts from anon, authenticated; grant select on note_texts to authenticated;',
      revert: 'drop materialized view note_texts;',
      found: ['note_texts', 'mate', 'select', /Policies do not apply to a materialized view/],
    },
  ],
]

interface Finding {
  readonly name: string
  readonly account: string
  readonly operation: string
  readonly change: string
  readonly proof: readonly { readonly key: string; readonly owner: string }[]
  readonly causes: readonly string[]
}

test('the correct project has no findings, twice in a row', async () => {
  const written = await access('--out', snapshot)
  expect([written.code, written.err]).toEqual([0, ''])
  const text = readFileSync(snapshot, 'utf8')
  expect(text).not.toMatch(/[0-9a-f]{8}-[0-9a-f]{4}|eyJ|sb_|harbour\.test/)
  const again = join(folder, 'again.json')
  const checked = await access('--check', snapshot, '--out', again)
  expect([checked.code, checked.err]).toEqual([0, ''])
  expect(checked.out).toContain('0 changes')
  expect(readFileSync(again, 'utf8')).toBe(text)
})

test.each(ROUNDS.map((bugs, round) => ({ bugs, round })))('round $round', async ({ bugs }) => {
  for (const { plant } of bugs) await sql.unsafe(plant)
  const { code, out, err } = await access('--check', snapshot, '--json')
  for (const { revert } of bugs) await sql.unsafe(revert)
  expect([code, err]).toEqual([1, ''])
  const { findings } = JSON.parse(out) as { readonly findings: readonly Finding[] }
  const missing = bugs.filter(
    ({ found: [name, account, operation, cause], change = 'wider' }) =>
      !findings.some(
        each =>
          each.name === name &&
          each.account === account &&
          each.operation === operation &&
          each.change === change &&
          (change === 'narrower' || each.proof.length > 0) &&
          each.causes.some(text => cause.test(text)),
      ),
  )
  expect(missing.map(({ bug }) => bug)).toEqual([])
})

test('at least twenty bugs, and the project is as before', async () => {
  expect(ROUNDS.flat().length).toBeGreaterThanOrEqual(20)
  const { code, out } = await access('--check', snapshot)
  expect([code, out]).toEqual([0, expect.stringContaining('0 changes')])
})
