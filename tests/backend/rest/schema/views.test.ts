// Relationships and keys of views, which PostgreSQL traces to tables in its parsed queries.
import type { PGlite } from '@electric-sql/pglite'
import { expect, test } from 'vitest'
import { traceViews } from '../../../../backend/rest/schema/view-origins.ts'
import { testOnPglite } from '../../../harness/engine.ts'
import { linesOf, ODD_NAMES, quoted, startReader, tableOf } from './reader.ts'

const { database, query, readAfter } = await startReader(`
  create schema hidden;
  create schema between;
  create table directors (id int primary key, last_name text);
  create table films (id int primary key, director_id int references directors (id), title text, language text);
  create table actors (id int primary key, last_name text, first_name text);
  create table roles (film_id int references films (id), actor_id int references actors (id), character text,
    primary key (film_id, actor_id));
  create table competitions (id int primary key, name text);
  create table nominations (competition_id int references competitions (id), film_id int references films (id), rank int,
    primary key (competition_id, film_id));
  create table hidden.staff (id int primary key, boss int references hidden.staff, desk int unique);
  create table hidden.desks (id int primary key, owner int unique references hidden.staff (id));
  create table hidden.pairs (a int references hidden.staff, b int references hidden.staff, primary key (a, b));
`)

const viewLines = (lines: readonly string[]) => lines.filter(line => line.endsWith(' view'))

test('a view has the relationships of the tables that it joins, as documented', async () => {
  const cache = await readAfter(`
    create view nominations_view as
      select films.title as film_title, competitions.name as competition_name, nominations.rank,
        nominations.film_id as nominations_film_id, films.id as film_id
      from nominations join films on films.id = nominations.film_id
      join competitions on competitions.id = nominations.competition_id;
  `)
  expect(linesOf(cache, 'nominations_view')).toEqual([
    'many-to-many actors by roles: roles_film_id_fkey film_id=film_id, roles_actor_id_fkey id=actor_id',
    'many-to-many competitions by nominations: nominations_film_id_fkey film_id=film_id, nominations_competition_id_fkey id=competition_id',
    'many-to-one films by nominations_film_id_fkey nominations_film_id=id',
    'one-to-many nominations by nominations_film_id_fkey film_id=film_id',
    'one-to-many nominations_view by nominations_film_id_fkey film_id=nominations_film_id self view',
    'many-to-one nominations_view by nominations_film_id_fkey nominations_film_id=film_id self view',
    'one-to-many roles by roles_film_id_fkey film_id=film_id',
  ])
  // The view is related to tables as well.
  expect(viewLines(linesOf(cache, 'films'))).toEqual([
    'one-to-many nominations_view by nominations_film_id_fkey id=nominations_film_id view',
  ])
  expect(viewLines(linesOf(cache, 'roles'))).toEqual([
    'many-to-one nominations_view by roles_film_id_fkey film_id=film_id view',
  ])
  expect(viewLines(linesOf(cache, 'actors'))).toEqual([
    'many-to-many nominations_view by roles: roles_actor_id_fkey id=actor_id, roles_film_id_fkey film_id=film_id view',
  ])
})

test('views of tables in a schema that is not served', async () => {
  const cache = await readAfter(`
    create view people as select id, boss as manager from hidden.staff;
    create view desks as select id as desk, owner as person from hidden.desks;
    create view pairs as select a, b from hidden.pairs;
  `)
  expect(linesOf(cache, 'people')).toEqual([
    'one-to-one (parent) desks by desks_owner_fkey id=person view',
    'one-to-many pairs by pairs_a_fkey id=a view',
    'one-to-many pairs by pairs_b_fkey id=b view',
    'one-to-many people by staff_boss_fkey id=manager self view',
    'many-to-one people by staff_boss_fkey manager=id self view',
    'many-to-many people by pairs: pairs_a_fkey id=a, pairs_b_fkey id=b self view',
    'many-to-many people by pairs: pairs_b_fkey id=b, pairs_a_fkey id=a self view',
  ])
  expect(linesOf(cache, 'desks')).toEqual(['one-to-one people by desks_owner_fkey person=id view'])
  expect(cache.relationships({ schema: 'public', name: 'pairs' }, 'public')[0]).toMatchObject({
    fromIsView: true,
    toIsView: true,
    isSelf: false,
  })
})

test('chains of views, through served schemas and those of the search path', async () => {
  const chain = `
    create view films_1 as select id as a, director_id as b from films;
    create view between.films_2 as select b as c, a as d from films_1;
    create view films_3 as select c as e, d as f from between.films_2;
  `
  const toDirectors = ['many-to-one directors by films_director_id_fkey e=id']
  const closed = await readAfter(chain)
  expect(linesOf(closed, 'films_1')).toContain('many-to-one directors by films_director_id_fkey b=id')
  expect(linesOf(closed, 'films_3')).toEqual([])
  expect(tableOf(closed, 'films_3').primaryKey).toEqual([])

  const served = await readAfter(chain, { schemas: ['public', 'between'] })
  expect(linesOf(served, 'films_3')).toEqual(expect.arrayContaining(toDirectors))
  expect(tableOf(served, 'films_3').primaryKey).toEqual(['f'])

  const onPath = await readAfter(
    `${chain} alter role authenticator set pgrst.db_extra_search_path = 'extensions, between'`,
  )
  expect(linesOf(onPath, 'films_3')).toEqual(expect.arrayContaining(toDirectors))
  expect(tableOf(onPath, 'films_3').primaryKey).toEqual(['f'])
  // Only served views are targets.
  expect(linesOf(onPath, 'directors', 'public', 'between')).toEqual([])
})

test('a view without all columns of a key has no relationship by it', async () => {
  const cache = await readAfter(`
    create table zones (x int, y int, primary key (x, y));
    create table markers (id int primary key, mx int, my int, constraint at_zone foreign key (my, mx) references zones (y, x));
    create view whole as select my as v, mx as h from markers;
    create view half as select mx from markers;
    create view swapped as select y as x, x as y from zones;
    create view row_only as select x from zones;
  `)
  expect(linesOf(cache, 'whole')).toEqual([
    'many-to-one swapped by at_zone v=x,h=y view',
    'many-to-one zones by at_zone v=y,h=x',
  ])
  expect(linesOf(cache, 'half')).toEqual([])
  expect(linesOf(cache, 'row_only')).toEqual([])
  expect(tableOf(cache, 'swapped').primaryKey).toEqual(['y', 'x'])
  expect(tableOf(cache, 'row_only').primaryKey).toEqual([])
})

test('each way in which a view shows a key is a relationship', async () => {
  const cache = await readAfter(`
    create table zones (x int, y int, primary key (x, y));
    create table markers (zx int, zy int, constraint at_zone foreign key (zx, zy) references zones);
    create view several as select zx as a, zy as b, zx as c, zy as d from markers;
  `)
  expect(linesOf(cache, 'several')).toEqual([
    'many-to-one zones by at_zone a=x,b=y',
    'many-to-one zones by at_zone a=x,d=y',
    'many-to-one zones by at_zone c=x,b=y',
    'many-to-one zones by at_zone c=x,d=y',
  ])
})

test('columns that are computed, or come from a union or a subquery, have no origin', async () => {
  const cache = await readAfter(`
    create view united as select id, director_id from films union all select id, director_id from films;
    create view computed as select id + 0 as id, coalesce(director_id, 0) as director_id from films;
    create view grouped as select director_id, count(*) from films group by director_id;
    create view sub as select s.director_id from (select director_id from films offset 0) s;
    create view with_query as with f as (select * from films) select f.id, f.director_id from f;
    create view scalar as select (select director_id from films limit 1) as director_id, d.id from directors d;
  `)
  expect(linesOf(cache, 'united')).toEqual([])
  expect(linesOf(cache, 'computed')).toEqual([])
  const toDirectors = 'many-to-one directors by films_director_id_fkey director_id=id'
  expect(linesOf(cache, 'grouped')).toContain(toDirectors)
  expect(linesOf(cache, 'sub')).toContain(toDirectors)
  expect(linesOf(cache, 'with_query')).toContain(toDirectors)
  expect(linesOf(cache, 'scalar')).not.toContain(toDirectors)
  expect(linesOf(cache, 'scalar')).toContain('one-to-many films by films_director_id_fkey id=director_id')
})

test('a view may be the junction, if it shows the whole key', async () => {
  const cache = await readAfter(`
    create table hidden.casts (film int references films, actor int references actors, primary key (film, actor));
    create view casts as select film as f, actor as a from hidden.casts;
  `)
  expect(linesOf(cache, 'films').filter(line => line.includes(' casts'))).toEqual([
    'many-to-many actors by casts: casts_film_fkey id=f, casts_actor_fkey id=a',
    'one-to-many casts by casts_film_fkey id=f view',
  ])
})

test('materialized views, and views that refer to each other', async () => {
  const cache = await readAfter(`
    create materialized view stored as select id, director_id from films;
    create view one as select id from films;
    create view two as select id from one;
    create or replace view one as select id from two;
  `)
  expect(linesOf(cache, 'stored')).toContain('many-to-one directors by films_director_id_fkey director_id=id')
  expect(tableOf(cache, 'stored').primaryKey).toEqual(['id'])
  expect(linesOf(cache, 'one')).toEqual([])
})

test('views of any name, with columns of any name', async () => {
  const cache = await readAfter(
    ODD_NAMES.map((name, index) => {
      const [own, other] = [quoted(name), quoted(ODD_NAMES[(index + 1) % ODD_NAMES.length] ?? '')]
      const columns = ODD_NAMES.map(column => `f.title as ${quoted(`${column}${column}`)}`).join(', ')
      return `create view ${own} as
        select ${columns}, f.director_id as ${own}, '${name.replaceAll("'", "''")}' as text, f.id as ${other} from films f`
    }).join(';\n'),
  )
  for (const [index, name] of ODD_NAMES.entries()) {
    expect(tableOf(cache, name).primaryKey).toEqual([ODD_NAMES[(index + 1) % ODD_NAMES.length]])
    expect(linesOf(cache, name)).toContain(`many-to-one directors by films_director_id_fkey ${name}=id`)
  }
})

interface TreeRow {
  readonly id: string
  readonly tree: string
  readonly definition: string
}

testOnPglite('origins are those that PostgreSQL reports for the columns of the same query', async () => {
  await database.owner(tx =>
    tx.script(`
    create schema many;
    create view many.v1 as select f.*, d.last_name as "x } { \\ :resno 1" from films f left join directors d on d.id = f.director_id;
    create view many.v2 as select distinct on (title) title, id, row_number() over (order by id) as n from films order by title, id desc;
    create view many.v3 as select a.id, b.id as id_2, c.* from actors a cross join actors b cross join lateral
      (select r.film_id, r.character || '{' as text from roles r where r.actor_id = a.id limit 3) c where exists (select from films where id = 3);
    create view many.v4 as with recursive up as (select id, boss from hidden.staff union all select s.id, s.boss from hidden.staff s join up on up.boss = s.id)
      select up.id, s.boss, s.id as own from up join hidden.staff s using (id);
    create view many.v5 as select id, case when id > 3 then title else '}' end as title, language from films group by id, title, language having count(*) > 0;
    create view many.v6 as select v.id, v.title, t.x from many.v1 v join unnest(array['{"a": 1}', '}']) as t (x) on true;
    create view many.v7 as select id, title from films intersect select id, title from films;
    create view many.v8 as select (f).id, (f).title, f.id as own from films f;
    create view many.v9 as select coalesce(n.film_id, r.film_id) as c, film_id from nominations n full join roles r using (film_id);
    create view many.v10 as select * from (values (1, 'a {'), (2, 'b }')) as v (id, "{");
  `),
  )
  const views = await query<TreeRow>(
    `select c.oid::text as id, ev_action::text as tree, pg_get_viewdef(c.oid) as definition
     from pg_rewrite join pg_class c on c.oid = ev_class where relnamespace = 'many'::regnamespace order by c.oid`,
  )
  expect(views).toHaveLength(10)
  const traced = traceViews(views.map(({ id, tree }) => [id, tree]))
  await database.exclusive?.(async ({ driver }) => {
    for (const { id, definition } of views) {
      const direct = [...(traced.get(id) ?? [])].map(([at, [first]]) => [at, first])
      expect(direct).toEqual(await reportedOrigins(driver, definition))
    }
  })
})

/** The table and column of each column of a query that has one, from the server's description of its rows. */
async function reportedOrigins(driver: PGlite, statement: string) {
  const text = Buffer.from(`${statement}\0`)
  const head = Buffer.from('Q....')
  head.writeInt32BE(text.length + 4, 1)
  const answer = Buffer.from(await driver.execProtocolRaw(Buffer.concat([head, text])))
  expect(String.fromCharCode(answer[0] ?? 0)).toBe('T')
  const origins: (readonly [number, { relation: string; at: number }])[] = []
  let at = 7
  for (let column = 1; column <= answer.readInt16BE(5); column += 1) {
    at = answer.indexOf(0, at) + 1
    const relation = answer.readUInt32BE(at)
    if (relation > 0) origins.push([column, { relation: String(relation), at: answer.readInt16BE(at + 4) }])
    at += 18
  }
  return origins
}
