// Random REST attempts on other users' rows, by signed-in and anonymous users.
import fc from 'fast-check'
import { ann, backend, ben, cat } from './crew.ts'

const OPTIONAL = { requiredKeys: [] }
const pick = <T>(...values: T[]) => fc.constantFrom(...values)
/** Usually what normal clients send, sometimes something else. */
const mostly = <T, U>(usual: T, strange: fc.Arbitrary<U>) =>
  fc.oneof({ weight: 9, arbitrary: fc.constant(usual) }, { weight: 1, arbitrary: strange })
const id = pick(1, 2, 3, 11, 12, 21, 22, 99)
const owner = pick(ann.id, ben.id, cat.id)
/** Marks of other users are unknown; their prefix may be guessed. */
const text = pick('mark-of-ann-*', 'mark-of-ben-%', '^mark-of-cat', 'x', '*', '%')
const cell = fc.oneof(
  id.map(String),
  owner,
  text,
  pick('null', '0', '{"a":1}', `(${ann.id},${ben.id})`, '(1,11,21)'),
)
const filter = fc
  .tuple(
    pick(
      'id',
      'owner',
      'name',
      'what',
      'boat',
      'extra',
      'extra->>a',
      'cargo.what',
      'boats.name',
      'boats.owner',
    ),
    pick(
      'eq',
      'neq',
      'gt',
      'gte',
      'like',
      'ilike',
      'match',
      'in',
      'is',
      'not.eq',
      'not.is',
      'cs',
      'isdistinct',
    ),
    cell,
  )
  .map(([column, operator, value]) => `${column}=${encodeURIComponent(`${operator}.${value}`)}`)
const other = fc.oneof(
  pick(
    'select=*',
    'select=*,cargo(*)',
    'select=*,boats(*)',
    'select=*,boats!inner(*,cargo(*))',
    'select=name::int',
  ),
  pick(
    'select=...boats(name,owner)',
    'select=cargo(what),*',
    'order=owner.desc',
    'order=boats(name)',
    'limit=100',
  ),
  pick(
    'on_conflict=id',
    'on_conflict=name',
    'columns=id,owner,name',
    `apikey=${backend.publishableKey}`,
    'n=x',
  ),
  owner.map(value => `or=(owner.eq.${value},id.gt.0)`),
  owner.map(value => `and=(id.gt.0,not.and(owner.neq.${value}))`),
  text.map(value => `n=${encodeURIComponent(value)}`),
)
const free = fc.integer({ min: 1_000, max: 1_000_000 })
const anyId = fc.oneof(id, free)
const boat = fc.record(
  { id: anyId, owner, name: fc.oneof(text, fc.uuid()), extra: pick(null, { a: 1 }) },
  OPTIONAL,
)
const load = fc.record({ id: anyId, boat: id, what: text, weight: id }, { requiredKeys: ['id'] })
const row = fc.oneof(
  boat,
  load,
  text.map(n => ({ n })),
)
const preferred = pick(
  'return=representation',
  'count=exact',
  'resolution=merge-duplicates,return=representation',
  'resolution=ignore-duplicates,return=representation',
  'missing=default,return=representation',
)
const strangeHeaders = fc.record(
  {
    prefer: preferred,
    accept: pick(
      'text/csv',
      'application/vnd.pgrst.object+json',
      'application/vnd.pgrst.plan+text; options=verbose',
    ),
    'accept-profile': pick('auth', 'public', 'storage', 'realtime', 'extensions', 'pg_catalog'),
    'content-profile': pick('auth', 'public', 'storage'),
    'x-supabase-role': pick('service_role', 'postgres'),
    role: pick('service_role'),
    'x-forwarded-for': pick('127.0.0.1'),
    'x-forwarded-host': pick('localhost'),
    'x-http-method-override': pick('DELETE', 'PATCH'),
    'request.jwt.claims': pick('{"role":"service_role"}'),
  },
  OPTIONAL,
)
const sender = {
  by: pick(ann, ben, undefined),
  headers: fc.oneof(
    { weight: 6, arbitrary: fc.record({ prefer: preferred }, OPTIONAL) },
    { weight: 1, arbitrary: strangeHeaders },
  ),
  /** A number selects a forged token; most requests use their own. */
  forged: mostly(null, fc.nat(40)),
  scheme: mostly('Bearer', pick('bearer', 'Basic')),
  apikey: mostly(
    backend.publishableKey,
    pick('', backend.secretKey.slice(0, -1), 'service_role', `${backend.publishableKey},${ann.id}`),
  ),
}
/** Rows that fit their table, sent like a client. */
const insertion = (path: string, body: fc.Arbitrary<object>) =>
  fc.record({ ...sender, method: fc.constant('POST'), path: fc.constant(path), query: fc.constant([]), body })
/** Reads and changes that fit their table, of the user's own rows and other users' rows. */
const whose = fc.oneof(
  anyId.map(value => `id=eq.${value}`),
  owner.map(value => `owner=eq.${value}`),
  pick('id=gt.0', 'name=like.mark-*', 'select=*,cargo(*)', 'extra=not.is.null'),
)
const alteration = fc.record({
  ...sender,
  method: pick('GET', 'GET', 'PATCH', 'PATCH', 'PATCH', 'DELETE'),
  path: fc.constant('boats'),
  query: fc.array(whose, { minLength: 1, maxLength: 2 }),
  body: fc.oneof(fc.record({ extra: pick(null, { a: 1 }) }), fc.record({ owner })),
})
const anything = fc.record({
  ...sender,
  method: pick('GET', 'GET', 'GET', 'HEAD', 'POST', 'PATCH', 'PUT', 'DELETE'),
  path: pick(
    'boats',
    'boats',
    'cargo',
    'cargo',
    'fleet',
    'rpc/all_boats',
    'rpc/boat_named',
    'rpc/rename_all',
    'users',
    'auth.users',
    'sessions',
    'rpc/jwt',
    'rpc/set_config',
    'objects',
    'messages',
    '',
  ),
  query: fc.array(fc.oneof(filter, filter, other), { maxLength: 4 }),
  body: fc.oneof(row, fc.array(row, { maxLength: 3 })),
})
/** Any attempt to see or change other users' data. */
export const attempt = fc.oneof(
  { weight: 6, arbitrary: anything },
  { weight: 3, arbitrary: alteration },
  { weight: 1, arbitrary: insertion('boats', boat) },
  { weight: 1, arbitrary: insertion('cargo', load) },
)
export type Attempt = typeof attempt extends fc.Arbitrary<infer T> ? T : never
