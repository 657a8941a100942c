// Random tables, policies, grants and subscriptions, and an oracle that asks PostgreSQL itself who may see what.
import fc from 'fast-check'
import type postgres from 'postgres'

export interface Person {
  readonly role: 'anon' | 'authenticated'
  readonly claims: object
}

const POLICIES = {
  off: '',
  nobody: 'alter table T enable row level security;',
  owner: 'create policy p on T for select using (owner = auth.uid());',
  open: 'create policy p on T for select to authenticated using (owner = auth.uid() or level < 3);',
  low: 'create policy p on T for select to authenticated using (level <= 4);',
  team: `create policy p on T for select using (team = split_part(auth.jwt() ->> 'email', '@', 1));`,
  guests: 'create policy p on T for select to anon using (level > 5);',
  strict: `create policy p on T for select using (true);
    create policy q on T as restrictive for select using (owner = auth.uid() or level = 0);`,
  looked:
    'create policy p on T for select using (exists (select from crews c where c.who = auth.uid() and c.team = T.team));',
} as const

const GRANTS = {
  all: '',
  noGuests: 'revoke all on T from anon;',
  columns: 'revoke all on T from authenticated; grant select (id, team, level) on T to authenticated;',
  none: 'revoke all on T from anon, authenticated;',
} as const

const FILTERS = {
  '': 'true',
  'level=gt.4': 'level > 4',
  'team=eq.skipper': `team = 'skipper'`,
  'team=not.in.(mate,skipper)': `team not in ('mate', 'skipper')`,
  'level=lte.6,team=like.%a%': `level <= 6 and team like '%a%'`,
  'id=lt.6': 'id < 6',
} as const

type Filter = keyof typeof FILTERS

export interface Table {
  readonly policy: keyof typeof POLICIES
  readonly grant: keyof typeof GRANTS
  readonly full: boolean
}

export interface Watch {
  readonly table: number
  readonly event: '*' | 'INSERT' | 'UPDATE' | 'DELETE'
  readonly filter: Filter
  readonly select: readonly string[] | undefined
}

export interface Write {
  readonly table: number
  readonly owner: number
  readonly team: string
  readonly level: number
  /** What happens to the row after it was inserted. */
  readonly later: 'UPDATE' | 'DELETE'
}

const keys = <T extends object>(of: T) => fc.constantFrom(...(Object.keys(of) as (keyof T)[]))
const place = fc.nat(2)

/** A run: three tables, what each of five users watches, who continues as which user, and what is written. */
export const randomRun = fc.record({
  tables: fc.array(fc.record({ policy: keys(POLICIES), grant: keys(GRANTS), full: fc.boolean() }), {
    minLength: 3,
    maxLength: 3,
  }),
  watches: fc.array(
    fc.array(
      fc.record({
        table: place,
        event: fc.constantFrom('*' as const, 'INSERT' as const, 'UPDATE' as const, 'DELETE' as const),
        filter: keys(FILTERS),
        select: fc.constantFrom(undefined, ['level'], ['secret', 'team']),
      }),
      { minLength: 4, maxLength: 6 },
    ),
    { minLength: 5, maxLength: 5 },
  ),
  becomes: fc.array(fc.nat(3), { minLength: 4, maxLength: 4 }),
  writes: fc.array(
    fc.record({
      table: place,
      owner: fc.nat(3),
      team: fc.constantFrom('skipper', 'mate', 'cook', 'pilot'),
      level: fc.nat(9),
      later: fc.constantFrom('UPDATE' as const, 'UPDATE' as const, 'DELETE' as const),
    }),
    { minLength: 40, maxLength: 44 },
  ),
})

export function createTable(name: string, { policy, grant, full }: Table): string {
  const sql = `create table T (id int primary key, owner uuid, team text, level int, secret text);
    ${policy === 'off' ? '' : 'alter table T enable row level security;'} ${POLICIES[policy]} ${GRANTS[grant]}
    ${full ? 'alter table T replica identity full;' : ''} alter publication supabase_realtime add table T;`
  return sql.replaceAll(/\bT\b/g, name)
}

/** The columns that a role may read. */
export function readable({ grant }: Table, role: string): readonly string[] {
  if (grant === 'none' || (grant === 'noGuests' && role === 'anon')) return []
  return grant === 'columns' && role === 'authenticated'
    ? ['id', 'team', 'level']
    : ['id', 'owner', 'team', 'level', 'secret']
}

/** Removes from a subscription what its role may not request. */
export function allowed(watch: Watch, table: Table, role: string): Watch {
  const columns = readable(table, role)
  if (columns.length === 0) return { ...watch, filter: '', select: undefined }
  return { ...watch, select: watch.select?.every(one => columns.includes(one)) ? watch.select : undefined }
}

/** The ids of the rows that a user sees and that pass a filter, as PostgreSQL decides. */
export async function visibleIds(
  sql: postgres.Sql,
  person: Person,
  table: string,
  filter: Filter,
): Promise<ReadonlySet<number>> {
  return sql.begin(async tx => {
    await tx`select set_config('request.jwt.claims', ${JSON.stringify(person.claims)}, true),
      set_config('request.jwt.claim.sub', ${'sub' in person.claims ? String(person.claims.sub) : ''}, true),
      set_config('role', ${person.role}, true)`
    const rows = await tx.unsafe<{ id: number }[]>(`select id from ${table} where ${FILTERS[filter]}`)
    return new Set(rows.map(({ id }) => id))
  })
}
