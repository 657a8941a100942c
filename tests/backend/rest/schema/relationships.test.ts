// Relationships between tables: the examples of PostgREST's documentation, and less common keys.
import { expect, test } from 'vitest'
import { linesOf, ODD_NAMES, quoted, startReader } from './reader.ts'

/** https://docs.postgrest.org/en/v14/references/api/resource_embedding.html */
const FILMS = `
  create table actors (id int primary key generated always as identity, first_name text, last_name text);
  create table directors (id int primary key generated always as identity, first_name text, last_name text);
  create table films (
    id int primary key generated always as identity, director_id int references directors (id), title text, year int,
    rating numeric(3, 1), language text
  );
  create table technical_specs (film_id int references films (id) primary key, runtime time, camera text, sound text);
  create table roles (
    film_id int references films (id), actor_id int references actors (id), character text, primary key (film_id, actor_id)
  );
  create table competitions (id int primary key generated always as identity, name text, year int);
  create table nominations (
    competition_id int references competitions (id), film_id int references films (id), rank int,
    primary key (competition_id, film_id)
  );
  create table addresses (
    id int primary key generated always as identity, name text, city text, state text, postal_code char(5)
  );
  create table orders (
    id int primary key generated always as identity, name text, billing_address_id int, shipping_address_id int,
    constraint billing foreign key (billing_address_id) references addresses (id),
    constraint shipping foreign key (shipping_address_id) references addresses (id)
  );
  create table premieres (id int, location text, "date" date, film_id int);
`

const { read, readAfter } = await startReader(FILMS)
const cache = await read()

test('many-to-one, one-to-many, one-to-one and many-to-many', () => {
  expect(linesOf(cache, 'films')).toEqual([
    'many-to-many actors by roles: roles_film_id_fkey id=film_id, roles_actor_id_fkey id=actor_id',
    'many-to-many competitions by nominations: nominations_film_id_fkey id=film_id, nominations_competition_id_fkey id=competition_id',
    'many-to-one directors by films_director_id_fkey director_id=id',
    'one-to-many nominations by nominations_film_id_fkey id=film_id',
    'one-to-many roles by roles_film_id_fkey id=film_id',
    'one-to-one (parent) technical_specs by technical_specs_film_id_fkey id=film_id',
  ])
  expect(linesOf(cache, 'technical_specs')).toEqual([
    'one-to-one films by technical_specs_film_id_fkey film_id=id',
  ])
  expect(linesOf(cache, 'directors')).toEqual(['one-to-many films by films_director_id_fkey id=director_id'])
  expect(linesOf(cache, 'roles')).toEqual([
    'many-to-one actors by roles_actor_id_fkey actor_id=id',
    'many-to-one films by roles_film_id_fkey film_id=id',
  ])
})

test('a whole relationship', () => {
  expect(cache.relationships({ schema: 'public', name: 'actors' }, 'public')).toEqual([
    {
      kind: 'key',
      cardinality: 'many-to-many',
      isParent: false,
      constraint: 'roles_actor_id_fkey',
      from: { schema: 'public', name: 'actors' },
      to: { schema: 'public', name: 'films' },
      isSelf: false,
      columns: [],
      junction: {
        table: { schema: 'public', name: 'roles' },
        toConstraint: 'roles_film_id_fkey',
        fromColumns: [['id', 'actor_id']],
        toColumns: [['id', 'film_id']],
      },
      fromIsView: false,
      toIsView: false,
    },
    {
      kind: 'key',
      cardinality: 'one-to-many',
      isParent: false,
      constraint: 'roles_actor_id_fkey',
      from: { schema: 'public', name: 'actors' },
      to: { schema: 'public', name: 'roles' },
      isSelf: false,
      columns: [['id', 'actor_id']],
      junction: undefined,
      fromIsView: false,
      toIsView: false,
    },
  ])
})

test('two keys to the same table, in the order of the documented error', () => {
  expect(linesOf(cache, 'orders')).toEqual([
    'many-to-one addresses by billing billing_address_id=id',
    'many-to-one addresses by shipping shipping_address_id=id',
  ])
  expect(linesOf(cache, 'addresses')).toEqual([
    'one-to-many orders by billing id=billing_address_id',
    'one-to-many orders by shipping id=shipping_address_id',
  ])
})

test('a table without relationships, and one that does not exist', () => {
  expect(linesOf(cache, 'premieres')).toEqual([])
  expect(linesOf(cache, 'toString')).toEqual([])
  expect(linesOf(cache, 'films', 'public', 'extensions')).toEqual([])
})

test('functions of a row compute relationships', async () => {
  const computed = await readAfter(`
    create function film(premieres) returns setof films rows 1 language sql stable as
      'select * from films where id = $1.film_id';
    create function premieres(films) returns setof premieres language sql stable as
      'select * from premieres where film_id = $1.id';
    create function one_film(premieres) returns films language sql stable as
      'select * from films where id = $1.film_id';
    create function sequels(films) returns setof films language sql stable as 'select $1';
    create function title_of(films) returns text language sql stable as 'select $1.title';
    create function two(films, int) returns setof films language sql stable as 'select $1';
  `)
  expect(linesOf(computed, 'premieres')).toEqual(['to-one films by film()', 'to-one films by one_film()'])
  expect(linesOf(computed, 'films').slice(-2)).toEqual([
    'to-many premieres by premieres()',
    'to-many films by sequels() self',
  ])
})

test('a function replaces the relationships to the table of its name, of one table', async () => {
  const overridden = await readAfter(`
    create function directors(films) returns setof directors rows 1 language sql stable as
      'select * from directors where id = $1.director_id';
    create function directors(premieres) returns setof directors language sql stable as 'select * from directors';
  `)
  expect(linesOf(overridden, 'films').filter(line => line.includes('directors'))).toEqual([
    'to-one directors by directors()',
  ])
  expect(linesOf(overridden, 'premieres')).toEqual(['to-many directors by directors()'])
  expect(linesOf(overridden, 'directors')).toEqual(linesOf(cache, 'directors'))
})

test('composite keys keep the order of the constraint', async () => {
  const composite = await readAfter(`
    create table zones (x int, y int, label text, primary key (y, x), unique (label, x));
    create table markers (id int primary key, mx int, my int, l text, unique (my, mx, id),
      constraint at_zone foreign key (my, mx) references zones (y, x),
      constraint at_label foreign key (l, mx) references zones (label, x));
    create table centers (cx int, cy int, unique (cx, cy),
      constraint center foreign key (cy, cx) references zones (y, x));
  `)
  expect(linesOf(composite, 'markers')).toEqual([
    'many-to-one zones by at_label l=label,mx=x',
    'many-to-one zones by at_zone my=y,mx=x',
  ])
  // The unique columns may have another order.
  expect(linesOf(composite, 'centers')).toEqual(['one-to-one zones by center cy=y,cx=x'])
  expect(linesOf(composite, 'zones')).toEqual([
    'one-to-one (parent) centers by center y=cy,x=cx',
    'one-to-many markers by at_label label=l,x=mx',
    'one-to-many markers by at_zone y=my,x=mx',
  ])
})

test('a unique index is not a constraint', async () => {
  const indexed = await readAfter(`
    create table passports (id int primary key, actor int references actors);
    create unique index on passports (actor);
  `)
  expect(linesOf(indexed, 'passports')).toEqual(['many-to-one actors by passports_actor_fkey actor=id'])
})

test('self relationships', async () => {
  const self = await readAfter(`
    create table staff (id int primary key, boss int references staff, twin int unique references staff);
    create table follows (who int references staff, whom int references staff, primary key (who, whom));
  `)
  expect(linesOf(self, 'staff')).toEqual([
    'one-to-many follows by follows_who_fkey id=who',
    'one-to-many follows by follows_whom_fkey id=whom',
    'one-to-many staff by staff_boss_fkey id=boss self',
    'many-to-one staff by staff_boss_fkey boss=id self',
    'one-to-one (parent) staff by staff_twin_fkey id=twin self',
    'one-to-one staff by staff_twin_fkey twin=id self',
    'many-to-many staff by follows: follows_who_fkey id=who, follows_whom_fkey id=whom self',
    'many-to-many staff by follows: follows_whom_fkey id=whom, follows_who_fkey id=who self',
  ])
})

test('a junction needs both keys in its primary key, and may have more columns', async () => {
  const junctions = await readAfter(`
    create table loose (id int primary key, film int references films, actor int references actors, unique (film, actor));
    create table dated (film int references films, actor int references actors, day date, note text,
      primary key (day, actor, film));
    create table triple (film int references films, actor int references actors, director int references directors,
      primary key (film, actor, director));
  `)
  const through = (name: string) => linesOf(junctions, 'films').filter(line => line.includes(` ${name}: `))
  expect(through('loose')).toEqual([])
  expect(through('dated')).toEqual([
    'many-to-many actors by dated: dated_film_fkey id=film, dated_actor_fkey id=actor',
  ])
  expect(through('triple')).toEqual([
    'many-to-many actors by triple: triple_film_fkey id=film, triple_actor_fkey id=actor',
    'many-to-many directors by triple: triple_film_fkey id=film, triple_director_fkey id=director',
  ])
})

test('partitioned tables, and partitions with their own keys', async () => {
  const parted = await readAfter(`
    create table trips (id int, day date, film int references films, primary key (id, day)) partition by range (day);
    create table trips_1 partition of trips for values from ('2020-01-01') to ('2021-01-01');
    create table trips_2 partition of trips for values from ('2021-01-01') to ('2022-01-01');
    create table stops (trip int, day date, constraint of_trip foreign key (trip, day) references trips);
    create table notes (trip int, day date, constraint of_part foreign key (trip, day) references trips_1);
  `)
  expect(linesOf(parted, 'trips')).toEqual([
    'many-to-one films by trips_film_fkey film=id',
    'one-to-many stops by of_trip id=trip,day=day',
  ])
  expect(linesOf(parted, 'films').filter(line => line.includes('trips'))).toEqual([
    'one-to-many trips by trips_film_fkey id=film',
  ])
  expect(linesOf(parted, 'stops')).toEqual(['many-to-one trips by of_trip trip=id,day=day'])
  expect(linesOf(parted, 'notes')).toEqual(['many-to-one trips_1 by of_part trip=id,day=day'])
})

test('relationships cross served schemas, and end there', async () => {
  const script = `
    create schema other;
    create table other.studios (id int primary key, boss int references actors);
    create table other.casts (film int references films, studio int references other.studios, primary key (film, studio));
    create table visits (id int primary key, studio int references other.studios);
    create function studio(films) returns setof other.studios rows 1 language sql as 'select * from other.studios';
  `
  const both = await readAfter(script, { schemas: ['public', 'other'] })
  expect(linesOf(both, 'visits')).toEqual([])
  expect(linesOf(both, 'visits', 'public', 'other')).toEqual([
    'many-to-one studios by visits_studio_fkey studio=id',
  ])
  expect(linesOf(both, 'studios', 'other', 'public')).toEqual([
    'many-to-one actors by studios_boss_fkey boss=id',
    'many-to-many films by casts: casts_studio_fkey id=studio, casts_film_fkey id=film',
    'one-to-many visits by visits_studio_fkey id=studio',
  ])
  // A computed one belongs to the schema of its function.
  expect(linesOf(both, 'films')).toContain('to-one studios by studio()')

  const one = await readAfter(script, { schemas: ['public'] })
  expect(linesOf(one, 'visits', 'public', 'other')).toEqual([])
  expect(linesOf(one, 'films')).toEqual(linesOf(cache, 'films'))
})

test('any name works, of tables, columns, constraints and functions', async () => {
  const odd = await readAfter(
    ODD_NAMES.map(name => {
      const [own, child] = [quoted(name), quoted(`${name} child`)]
      return `create table ${own} (${own} int primary key);
        create table ${child} (${own} int, constraint ${own} foreign key (${own}) references ${own});
        create function ${quoted(`${name} of`)}(${child}) returns setof ${own} language sql as 'select null::int';`
    }).join('\n'),
  )
  for (const name of ODD_NAMES) {
    expect(linesOf(odd, `${name} child`)).toEqual([
      `many-to-one ${name} by ${name} ${name}=${name}`,
      `to-many ${name} by ${name} of()`,
    ])
    expect(linesOf(odd, name)).toEqual([`one-to-many ${name} child by ${name} ${name}=${name}`])
  }
})
