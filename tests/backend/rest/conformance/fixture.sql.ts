// The database of the conformance suite: a film archive, and a table for each kind of value.

/** All rows, and where sequences go on. */
const DATA = `
insert into directors (id, name, country, born) values
  (1, 'Agnes', 'BE', '1928-05-30'), (2, 'Akira', 'JP', '1910-03-23'), (3, 'Chantal', 'BE', '1950-06-06'), (4, 'Nobody', null, null);
insert into films (id, title, director_id, year, rating, language, mood, tags, released) values
  (1, 'Cleo', 1, 1962, 7.9, 'fr', 'tense', '{paris,portrait}', '1962-04-11'),
  (2, 'Vagabond', 1, 1985, 7.7, 'fr', 'calm', '{road}', '1985-12-04'),
  (3, 'Ran', 2, 1985, 8.2, 'ja', 'grand', '{war,family}', '1985-06-01'),
  (4, 'Ikiru', 2, 1952, 8.3, 'ja', 'calm', '{}', '1952-10-09'),
  (5, 'Jeanne', 3, 1975, null, 'fr', 'tense', null, '1976-01-21'),
  (6, 'Lost Reel', null, 1921, null, null, null, '{silent}', null);
insert into technical_specs values (1, 'Cameflex', 'mono'), (3, 'Panavision', 'stereo');
insert into actors (id, name) values (1, 'Corinne'), (2, 'Sandrine'), (3, 'Tatsuya'), (4, 'Takashi'), (5, 'Delphine'), (6, 'Extra'), (7, 'Idle');
insert into roles values (1, 1, 'Cleo'), (2, 2, 'Mona'), (3, 3, 'Hidetora'), (4, 4, 'Watanabe'), (5, 5, 'Jeanne'), (1, 6, null), (4, 6, 'Clerk');
insert into festivals values (1, 'Lumen', 1985), (2, 'Nocturne', 1962), (3, 'Empty', 2000);
insert into nominations values (1, 2, 1), (1, 3, 2), (2, 1, 1);
insert into premieres values (1, 'Cannes', 1), (2, 'Tokyo', 3), (3, 'Nowhere', null);
insert into box_office values ('2021-01-05', 1, 1000.50), ('2021-01-06', 1, 500.00), ('2021-02-07', 3, 7500.25);
insert into addresses values (1, 'Quay 1', 'Kiel'), (2, 'Pier 2', 'Oslo'), (3, 'Lane 3', 'Kiel');
insert into orders values
  (1, 'Rope', 1, 2, 10.50, 3, '2024-01-01', 'rush', '{"tax":1.5,"lines":[{"sku":"A"}]}'),
  (2, 'Sail', 1, 1, 100.00, 1, '2024-01-01', null, '{"tax":10}'),
  (3, 'Oar', 2, 1, 20.25, 2, '2024-01-02', 'gift', '{"tax":2.25}'),
  (4, 'Buoy', null, 3, 5.00, 4, '2024-01-02', null, null);
insert into employees values (1, 'Ada', null), (2, 'Bo', 1), (3, 'Cy', 1), (4, 'Di', 2);
insert into countries values ('DE', 'Germany', '(51.5,10.25)', '{de}'), ('CH', 'Switzerland', '(46.75,8.25)', '{de,fr,it}'), ('NN', 'Nowhere', null, null);
insert into capitals values (1, 'Berlin', 'DE'), (2, 'Bern', 'CH');
insert into seats values ('hall', 1, 10), ('hall', 2, 12), ('attic', 1, 5);
insert into tickets values (1, 'hall', 1, 'Ann'), (2, 'hall', 1, 'Ben'), (3, 'attic', 1, 'Cat');
insert into players values (1, 'Ana'), (2, 'Bea'), (3, 'Cid');
insert into teams values (1, 'Reds', 1), (2, 'Blues', null);
insert into members values (1, 1), (1, 2), (2, 3);
insert into follows values (1, 2), (3, 2), (2, 1);
insert into owners values (1, 'Zoe'), (2, 'Yan');
insert into pets values (1, 'Rex', 1), (2, 'Tom', 2);
insert into wide values
  (9007199254740993, 12345678901234567890.120, 0.1, 1.5, '{9007199254740995,1}', '{"b":1, "a":9007199254740997}', '{"b":1, "a":9007199254740997}'),
  (-9223372036854775808, 'NaN', 'Infinity', -0.25, null, null, null),
  (2, 0.00, 1e300, 0, '{}', '[1.50]', '[1.50]');
insert into moments values (1, '2023-10-18T12:37:59.611Z', '2023-10-18 12:37:59', '2023-10-18', '12:37:59.5', '1 day 02:03:04'), (2, '2024-02-29T23:30:00-02:00', null, null, null, null);
insert into spans values (1, '[1,5)', '[2024-01-01,2024-02-01)'), (2, '[3,9)', null), (3, '[10,20)', null), (4, 'empty', null), (5, null, null);
insert into bags values (1, '{1,2}', '{{1,2},{3,4}}'), (2, '{2,3,4}', null), (3, '{}', null), (4, null, null);
insert into docs values (1, '{"foo":{"bar":"baz","int":1},"list":[1,2,3]}', '{"k":"v", "k":"w"}'), (2, '{"foo":{"bar":"qux","int":20},"list":[{"a":"A"}]}', null), (3, '[10,20,30]', null), (4, null, null);
insert into articles (id, lang, body, meta) values
  (1, 'english', 'The fat cats ate the rats', '{"text":"fat cats"}'),
  (2, 'english', 'Sailing boats are sailed by sailors', '{"text":"boats"}'),
  (3, 'french', 'Les marins aiment naviguer', '{"text":"marins"}'),
  (4, 'german', 'Die Schiffe fahren', null);
insert into names values (1, 'Hebdon, John'), (2, 'plain'), (3, 'say "hi"'), (4, 'back\\slash'), (5, '(parens)'), (6, ''), (7, null), (8, '100%'), (9, 'a_b'), (10, 'axb'), (11, 'dot.ted'), (12, 'null'), (13, 'Straße 東京'), (14, 'Plainer');
insert into "Odd Names" values (1, 'x', 'dot', 'q', 7, 'built', 'comma', 'paren', 'colon', 5), (2, 'y', 'dash', 'r', 8, 'grown', 'point', 'brace', 'semi', 6);
insert into "données" values (1, 'été');
insert into chores values (1, 'sweep', true), (2, 'paint', false), (3, 'sleep', null);
insert into products values ('A1', 'Cap', 10.00, 5), ('B2', 'Hat', 20.00, 0), ('C3', 'Shoe', 30.00, 9);
insert into boxes (w, h, note) values (2, 3, 'small'), (10, 10, 'big');
insert into events values ('open', 1), ('close', 2), (null, null);
insert into only_pk values (1), (2);
insert into "CamelCase" values (1, 'One'), (2, 'Two');
insert into counters (id, label) values (1, 'first');
insert into shifts values (1, 'early');
insert into files values (1, '\\xdeadbeef'), (2, '\\x');
insert into codes values (1, '10101', 'abcde', 'xy');
insert into secrets values (1, 'ann@example.com', 'mine'), (2, 'bob@example.com', 'other');
insert into limited values (1, 'seen', 'hidden');
insert into hidden.ledger values (1, 'ann', 30), (2, 'bob', 5);
insert into hidden.lines values (1, 1, 'ink'), (2, 1, 'paper'), (3, 2, 'pen');
insert into paints values (1, 'blue', 255, 1), (2, 'green', 65280, 2), (3, 'none', null, null);
insert into rooms values (1, 'hall', 1), (2, 'attic', 2);
insert into tallies values (1, 'a'), (2, 'b');
insert into labels values (1, 'one'), (2, 'two');
insert into stuff values (1, 'one');
insert into watched values (1, 'w');
insert into archive.items values (1, 'stored one'), (2, 'stored two');
insert into archive.parts values (1, 1, 'lid'), (2, 1, 'base');
select setval('directors_id_seq', 10), setval('films_id_seq', 10), setval('actors_id_seq', 10), setval('counters_id_seq', 10), setval('callcount', 1, false);
`

const SCHEMA = `
create schema hidden;
create schema archive;
create sequence callcount;
create sequence callcount_view;
grant usage on schema archive to anon, authenticated, service_role;
alter default privileges in schema archive grant all on tables to anon, authenticated, service_role;

create type mood as enum ('calm', 'tense', 'grand');
create type coords as (lat numeric(8,4), long numeric(8,4));
create domain year_no as int check (value between 1800 and 2200);
create domain tsv_domain as tsvector;

create table directors (id int generated by default as identity primary key, name text not null, country text, born date);
create table films (
  id int generated by default as identity primary key, title text not null, director_id int references directors,
  year year_no, rating numeric(3,1), language text, mood mood, tags text[], released date);
comment on table films is $$Films of the archive

With a director each,
or without one.$$;
comment on column films.title is 'As on the poster';
create table technical_specs (film_id int primary key references films, camera text, sound text);
create table actors (id int generated by default as identity primary key, name text not null);
comment on table actors is 'People on screen';
create table roles (film_id int references films, actor_id int references actors, "character" text, primary key (film_id, actor_id));
create table festivals (id int primary key, name text, year int);
create table nominations (festival_id int references festivals, film_id int references films, rank int, primary key (festival_id, film_id));
create table premieres (id int primary key, location text, film_id int);
create table box_office (day date not null, film_id int not null references films, gross numeric(12,2) not null, primary key (day, film_id)) partition by range (day);
create table box_office_2021_01 partition of box_office for values from ('2021-01-01') to ('2021-02-01');
create table box_office_2021_02 partition of box_office for values from ('2021-02-01') to ('2021-03-01');
comment on table box_office is 'Takings of a day';

create table addresses (id int primary key, street text, city text);
create table orders (
  id int primary key, label text, billing_id int, shipping_id int, amount numeric(10,2), quantity int, ordered date, note text, details jsonb,
  constraint billing foreign key (billing_id) references addresses,
  constraint shipping foreign key (shipping_id) references addresses);
create table employees (id int primary key, name text, boss_id int references employees);
create table countries (code text primary key, name text, location coords, languages text[]);
create table capitals (id int primary key, name text, country_code text unique references countries);
create table seats (venue text, no int, price int, primary key (venue, no));
create table tickets (id int primary key, venue text, seat_no int, holder text, constraint seat foreign key (venue, seat_no) references seats);
create table players (id int primary key, name text);
create table teams (id int primary key, name text, captain_id int constraint captain references players);
create table members (team_id int references teams, player_id int references players, primary key (team_id, player_id));
create table follows (follower int references players, followed int references players, primary key (follower, followed));
create table owners (id int primary key, name text);
create table pets (id int primary key, name text, owner_id int references owners);

create table wide (id bigint primary key, n numeric, f8 double precision, f4 real, ids bigint[], j json, jb jsonb);
create table moments (id int primary key, at timestamptz, local timestamp, day date, t time, span interval);
create table spans (id int primary key, r int4range, d daterange);
create table bags (id int primary key, nums int[], grid int[][]);
create table docs (id int primary key, data jsonb, raw json);
create table articles (id int primary key, lang regconfig, body text, meta jsonb,
  tsv tsvector generated always as (to_tsvector(lang, body)) stored,
  dom tsv_domain generated always as (to_tsvector('simple', body)) stored);
create table names (id int primary key, name text);
create table "Odd Names" ("Id" int primary key, "the column" text, "dotted.name" text, "quo""ted" text, "größe" int, "constructor" text,
  "a,b" text, "(paren)" text, "a:b" text, do$lar$ int);
create table "données" ("clé" int primary key, "valeur" text);
create table chores (id int primary key, name text, done boolean);
create table products (sku text primary key, name text not null unique, price numeric check (price >= 0), stock int default 7);
create table boxes (id int generated always as identity primary key, w int, h int, area int generated always as (w * h) stored, note text default 'none');
create table events (kind text, n int);
create table only_pk (id int primary key);
create table "CamelCase" ("userId" int primary key, "fullName" text);
create table counters (id serial primary key, label text default 'unnamed', "with-dash" int default 1);
create table shifts (id int primary key, name text, constraint shift_name unique (name) deferrable initially deferred);
create table files (id int primary key, data bytea);
create table codes (id int primary key, b bit(5), c char(5), v varchar(3));
create table secrets (id int primary key, owner text, body text);
create table limited (id int primary key, name text, secret text);
create table write_only (v text);
create table stuff (id int primary key, name text);
create table watched (id int primary key, name text);
create table empty_table (id int primary key, extra text);
create table types (a_int int, a_small smallint, a_big bigint, a_num numeric, a_real real, a_double double precision, a_bool boolean,
  a_text text, a_varchar varchar(20), a_date date, a_json json, a_jsonb jsonb, a_ints int[], a_texts text[], a_uuid uuid,
  with_text text default 'default', with_int int default 42, with_bool boolean default false);

create table hidden.ledger (id int primary key, owner text, total int);
create table hidden.lines (id int primary key, ledger_id int references hidden.ledger, what text);
create table archive.items (id int primary key, name text);
create table archive.parts (id int primary key, item_id int references archive.items, name text);

-- Who may do what.
revoke all on secrets, limited, write_only from anon;
alter table secrets enable row level security;
create policy own on secrets to authenticated using (owner = current_setting('request.jwt.claims', true)::json->>'email')
  with check (owner = current_setting('request.jwt.claims', true)::json->>'email');
grant select (id, name), insert (id, name, secret), update (name, secret), delete on limited to anon;
grant insert on write_only to anon;

-- Views.
create view film_list as select f.id, f.title, f.director_id, d.name as director_name from films f left join directors d on d.id = f.director_id;
comment on view film_list is 'Films with names';
create view classics as select id, title, year, director_id from films where year < 1970 with local check option;
create view film_titles as select title, year from films;
create view renamed_films as select id as film_no, title as label, director_id as made_by from films;
create view listed_again as select id, title, director_id from film_list;
create view per_year as select year, count(*) as films from films group by year;
create view per_director as select director_id, count(*) as films from films group by director_id;
create materialized view film_snapshot as select id, title, director_id from films with no data;
create view ledger as select id, owner, total from hidden.ledger;
create view ledger_lines as select id, ledger_id, what from hidden.lines;
create view bumped as select nextval('callcount_view') as n;
create view broken_subquery as select (select id from films) as id;
create view notes_in as select id, name || '!' as name from stuff;
create view notes_up as select id, name || '!' as name from stuff;
create view notes_del as select id, name || '!' as name from stuff;
create view notes_all as select id, name || '!' as name from stuff;
create function nothing() returns trigger language plpgsql as 'begin return new; end';
create function nothing_old() returns trigger language plpgsql as 'begin return old; end';
create trigger t instead of insert on notes_in for each row execute function nothing();
create trigger t instead of update on notes_up for each row execute function nothing();
create trigger t instead of delete on notes_del for each row execute function nothing_old();
create trigger t1 instead of insert or update on notes_all for each row execute function nothing();
create trigger t2 instead of delete on notes_all for each row execute function nothing_old();
create function watch() returns trigger language plpgsql as $$
begin
  perform set_config('response.headers', '[{"X-Watched": "yes"}]', true);
  if tg_op = 'INSERT' then perform set_config('response.headers', '[{"Location": "/watched?id=eq.' || new.id || '&by=trigger"}]', true); end if;
  if tg_op = 'UPDATE' then perform set_config('response.status', '205', true); end if;
  return new;
end $$;
create trigger watch before insert or update on watched for each row execute function watch();

-- Computed fields and relationships.
create function film_label(films) returns text language sql stable as $$ select $1.title || ' (' || $1.year || ')' $$;
create function is_old(films) returns boolean language sql stable as $$ select $1.year < 1970 $$;
create function label_length(directors) returns int language sql immutable as $$ select length($1.name) $$;
create function label_length(actors) returns int language sql immutable as $$ select length($1.name) $$;
create function tsv_of(articles) returns tsvector language sql stable as $$ select to_tsvector('simple', $1.body) $$;
create function hidden.elsewhere(films) returns boolean language sql stable as 'select true';
create function film(premieres) returns setof films rows 1 language sql stable as $$ select * from films where id = $1.film_id $$;
create function film_noset(premieres) returns films language sql stable as $$ select * from films where id = $1.film_id $$;
create function premieres(films) returns setof premieres language sql stable as $$ select * from premieres where film_id = $1.id $$;
create function boss(employees) returns setof employees rows 1 language sql stable as $$ select * from employees where id = $1.boss_id $$;
create function reports(employees) returns setof employees language sql stable as $$ select * from employees where boss_id = $1.id $$;
create function followers(players) returns setof players language sql stable as $$
  select p.* from players p join follows on p.id = follower where followed = $1.id $$;
create function owners(pets) returns setof owners rows 1 language sql stable as $$ select * from owners where id = $1.owner_id and name <> 'Zoe' $$;
create function works(directors) returns setof films language sql stable as $$ select * from films where director_id = $1.id $$;
create function works(actors) returns setof films language sql stable as $$
  select f.* from films f join roles on film_id = f.id where actor_id = $1.id $$;

-- Functions by what they take and return.
create function add(a int, b int) returns int language sql immutable as 'select a + b';
comment on function add is $$Adds

Two numbers.$$;
create function greet(name text default 'world') returns text language sql stable as $$ select 'Hello, ' || name $$;
create function three(a int default 1, b int default 2, c int default 3) returns int language sql immutable as 'select a * 100 + b * 10 + c';
create function get_films(min_year int default 0) returns setof films language sql stable as 'select * from films where year >= min_year';
create function film_by_id(id int) returns films language sql stable as 'select * from films where films.id = film_by_id.id';
create function films_since(since int) returns table (title text, year int) language sql stable as
  'select f.title, f.year::int from films f where f.year >= since order by f.id';
create function films_below(id int) returns setof films language sql stable as 'select * from films f where f.id < films_below.id';
create function single_column() returns table (a text) language sql immutable as $$ select 'A' $$;
create function nothing_void() returns void language sql as '';
create function no_films() returns setof films language sql stable as 'select * from films where false';
create function numbers() returns setof int language sql immutable as 'values (1), (2), (3)';
create function an_array() returns int[] language sql immutable as $$ select '{1,2,3}'::int[] $$;
create function a_range(low int, up int) returns int4range language sql immutable as 'select int4range(low, up)';
create function a_mood(val mood) returns mood language sql immutable as 'select val';
create function a_year(val year_no) returns year_no language sql immutable as 'select val';
create function a_null() returns int language sql immutable as 'select null::int';
create function a_point() returns coords language sql immutable as 'select (1.5, 2)::coords';
create function a_json() returns json language sql immutable as $$ select '{"b":1, "a":[1,2]}'::json $$;
create function a_record() returns record language sql stable as 'select 1 as id, ''one''::text as name';
create function records() returns setof record language sql stable as 'select id, name from festivals order by id';
create function out_one(num int, out plus_one int) language sql immutable as 'select num + 1';
create function inout_one(inout num int) language sql immutable as 'select num + 1';
create function out_many(out a int, out b text) language sql immutable as $$ select 1, 'two' $$;
create function inout_many(inout num int, inout str text, inout b boolean default true) language sql immutable as 'select num, str, b';
create function total_of(variadic nums int[] default '{}') returns int language sql immutable as 'select coalesce(sum(n), 0)::int from unnest(nums) n';
create function greet_all(name text, variadic others text[] default '{}') returns text language sql immutable as
  $$ select name || array_to_string(others, '', '') $$;
create function plus_one(arr int[]) returns int[] language sql immutable as 'select array_agg(n + 1) from unnest(arr) n';
create function same_big(big bigint) returns bigint language sql immutable as 'select big';
create function same_number(n numeric) returns numeric language sql immutable as 'select n';
create function same_json(value jsonb) returns jsonb language sql immutable as 'select value';
create function json_kind(arg json) returns text language sql immutable as 'select json_typeof(arg)';
create function "quotedFn"("userName" text, "SSN" text) returns json language sql immutable as $$ select json_build_object('userName', "userName", 'SSN', "SSN") $$;
create function varied(d double precision, v varchar, b boolean, day date, m mood, arr text[], i int default 42, j jsonb default '{}') returns json language sql immutable as
  $$ select json_build_object('d', d, 'v', v, 'b', b, 'day', day, 'm', m, 'arr', arr, 'i', i, 'j', j) $$;
create function char_arg(c char(3)) returns text language sql immutable as 'select c::text';
create function over() returns int language sql immutable as 'select 0';
create function over(a int) returns int language sql immutable as 'select 1';
create function over(a int, b int) returns int language sql immutable as 'select 2';
create function amb(arg int) returns text language sql immutable as $$ select 'int' $$;
create function amb(arg text) returns text language sql immutable as $$ select 'text' $$;
create function sum_xy(json) returns int language sql immutable as $$ select ($1->>'x')::int + ($1->>'y')::int $$;
create function echo_json(jsonb) returns jsonb language sql immutable as 'select $1';
create function echo_text(text) returns text language sql immutable as 'select $1';
create function count_bytes(bytea) returns int language sql immutable as 'select length($1)';
create function named_json(data json) returns json language sql immutable as 'select data';
create function fallback() returns text language sql immutable as $$ select 'none' $$;
create function fallback(x int, y int) returns text language sql immutable as $$ select 'x and y' $$;
create function fallback(json) returns text language sql immutable as $$ select 'json' $$;
create function fallback(text) returns text language sql immutable as $$ select 'text' $$;
create function twice(json) returns text language sql immutable as $$ select 'json' $$;
create function twice(jsonb) returns text language sql immutable as $$ select 'jsonb' $$;
create function unnamed_int(int) returns int language sql immutable as 'select $1';
create function clash() returns table (clash text, value int) language sql immutable as $$ select 'hello', 1 $$;

-- Functions that write, and where.
create function add_film(title text) returns setof films language sql as 'insert into films (title) values (add_film.title) returning *';
create function drop_roles(below int) returns setof roles language sql as 'delete from roles where film_id < below returning *';
create function drop_roles_void() returns void language sql as 'delete from roles';
create function next_count() returns bigint language sql as $$ select nextval('callcount') $$;
create function stable_write() returns void language sql stable as $$ select set_config('x.y', '1', true) $$;
create function sneaky_write() returns int language plpgsql stable as $$ begin perform nextval('callcount'); return 1; end $$;
create function late_conflict() returns void language sql as $$ insert into shifts values (7, 'same'), (8, 'same') $$;

-- Errors.
create function fail_plain() returns void language plpgsql as $$ begin raise exception 'I refuse!' using detail = 'Pretty simple', hint = 'Give up.'; end $$;
create function fail_with(state text) returns void language plpgsql stable as $$ begin raise exception using errcode = state, message = 'raised ' || state; end $$;
create function fail_402() returns void language plpgsql stable as $$
begin raise sqlstate 'PT402' using message = 'Payment Required', detail = 'Quota exceeded', hint = 'Upgrade'; end $$;
create function fail_bad_pt() returns void language plpgsql stable as $$ begin raise sqlstate 'PT40A' using message = 'Wrong'; end $$;
create function fail_pgrst() returns void language plpgsql stable as $$
begin raise sqlstate 'PGRST' using
  message = '{"code":"123","message":"Pay first","details":"Quota exceeded","hint":"Upgrade"}',
  detail = '{"status":402,"headers":{"X-Powered-By":"Nerds"}}'; end $$;
create function fail_pgrst_short() returns void language plpgsql stable as $$
begin raise sqlstate 'PGRST' using message = '{"code":"123","message":"ABC"}', detail = '{"status":419,"status_text":"Page Expired","headers":{}}'; end $$;
create function fail_pgrst_message() returns void language plpgsql stable as $$
begin raise sqlstate 'PGRST' using message = 'INVALID', detail = '{"status":400,"headers":{}}'; end $$;
create function fail_pgrst_detail() returns void language plpgsql stable as $$
begin raise sqlstate 'PGRST' using message = '{"code":"123","message":"ABC"}', detail = 'INVALID'; end $$;
create function fail_pgrst_missing() returns void language plpgsql stable as $$
begin raise sqlstate 'PGRST' using message = '{"code":"123","message":"ABC"}'; end $$;
create function fail_assert() returns void language plpgsql stable as $$ begin assert false; end $$;
create function fail_no_data() returns void language plpgsql stable as $$ declare x int; begin select id into strict x from films where false; end $$;

-- Settings of the request and the response.
create function setting(name text) returns text language sql stable as 'select current_setting(name, true)';
create function header(name text) returns text language sql stable as $$ select current_setting('request.headers', true)::json->>name $$;
create function cookie(name text) returns text language sql stable as $$ select current_setting('request.cookies', true)::json->>name $$;
create function claim(name text) returns text language sql stable as $$ select current_setting('request.jwt.claims', true)::json->>name $$;
create function who() returns text language sql stable as 'select current_user::text';
create function teapot() returns json language plpgsql as $$
begin perform set_config('response.status', '418', true); return json_build_object('message', 'Short and stout.'); end $$;
create function forbidden_body() returns json language plpgsql stable as $$
begin perform set_config('response.status', '403', true); return json_build_object('message', 'no'); end $$;
create function bad_status() returns int language plpgsql stable as $$ begin perform set_config('response.status', 'bad', true); return 1; end $$;
create function with_headers(num int) returns int language plpgsql stable as $$
begin perform set_config('response.headers', '[{"X-Test": "a=1; b"}, {"X-Test-2": "c"}]', true); return num; end $$;
create function two_cookies() returns void language plpgsql stable as $$
begin perform set_config('response.headers', '[{"Set-Cookie": "a=1; Path=/"}, {"Set-Cookie": "b=2"}]', true); end $$;
create function cached() returns setof films language plpgsql stable as $$
begin perform set_config('response.headers', '[{"Cache-Control": "public"}]', true); return query select * from films; end $$;
create function bad_headers_1() returns void language plpgsql stable as $$ begin perform set_config('response.headers', '{"X": "y"}', true); end $$;
create function bad_headers_2() returns void language plpgsql stable as $$ begin perform set_config('response.headers', '[{"X": "y", "Z": "w"}]', true); end $$;
create function bad_headers_3() returns void language plpgsql stable as $$ begin perform set_config('response.headers', '[{"X": 1}]', true); end $$;
create function isolation() returns text language sql as $$ select current_setting('transaction_isolation') $$;
create function isolation_serial() returns text language sql set default_transaction_isolation to 'serializable' as $$ select current_setting('transaction_isolation') $$;
create function timeout_of_4s() returns text language sql set statement_timeout to '4s' as $$ select current_setting('statement_timeout') $$;
create function read_only() returns text language sql stable as $$ select current_setting('transaction_read_only') $$;
create function read_write() returns text language sql volatile as $$ select current_setting('transaction_read_only') $$;
create function before_request() returns void language plpgsql as $$
begin
  perform set_config('response.headers', '[{"X-Before": "yes"}]', true);
  if current_setting('request.headers', true)::json->>'x-deny' is not null then raise sqlstate 'PT403' using message = 'Denied'; end if;
  perform set_config('app.seen', 'by ' || current_user, true);
end $$;
create domain "application/openapi+json" as json;
create function root_doc() returns "application/openapi+json" language sql stable as $$ select '{"swagger":"2.0","info":{"title":"Own"}}'::json $$;
create function private_fn() returns int language sql stable as 'select 1';
revoke execute on function private_fn() from public, anon;
grant execute on function private_fn() to authenticated;

-- Media types.
create domain "text/plain" as text;
create domain "text/html" as text;
create domain "application/vnd.reel" as text;
create domain "text/tab-separated-values" as text;
create domain "text/csv" as text;
create domain "application/json" as json;
create domain "application/octet-stream" as bytea;
create domain "image/png" as bytea;
create domain "*/*" as bytea;
create table tallies (id int primary key, name text);
create table labels (id int primary key, name text);
create function page() returns "text/html" language sql stable as $$ select '<p>Reels</p>' $$;
create function plain_text() returns "text/plain" language sql stable as $$ select 'plain words' $$;
create function reel() returns "application/vnd.reel" language sql stable as $$ select 'reel data' $$;
create function no_reel() returns "application/vnd.reel" language sql stable as $$ select 'x' where false $$;
create function picture() returns "image/png" language sql stable as $$ select '\\x89504e47'::bytea $$;
create function raw_bytes() returns "application/octet-stream" language sql stable as $$ select 'raw'::bytea $$;
create function anything() returns "*/*" language sql stable as $$ select 'any'::bytea $$;
create function some_type() returns "*/*" language plpgsql stable as $$
declare wanted text := current_setting('request.headers', true)::json->>'accept';
begin
  if wanted not in ('app/chico', 'app/harpo') then raise sqlstate 'PT406' using message = 'Not Acceptable'; end if;
  perform set_config('response.headers', json_build_array(json_build_object('Content-Type', wanted))::text, true);
  return split_part(wanted, '/', 2)::bytea;
end $$;
create function plain_twice() returns setof "text/plain" language sql stable as $$ values ('a'::"text/plain"), ('b') $$;
create function actors_tsv_step(state "text/tab-separated-values", next actors) returns "text/tab-separated-values" language sql immutable as
  $$ select (state || next.id || E'\\t' || next.name || E'\\n')::"text/tab-separated-values" $$;
create aggregate actors_tsv(actors) (sfunc = actors_tsv_step, stype = "text/tab-separated-values", initcond = '');
create function tallies_csv_step(state "text/csv", next tallies) returns "text/csv" language sql immutable as
  $$ select (state || next.id || ';' || next.name || E'\\n')::"text/csv" $$;
create aggregate tallies_csv(tallies) (sfunc = tallies_csv_step, stype = "text/csv", initcond = '');
create function labels_json_step(state "application/json", next labels) returns "application/json" language sql immutable as
  $$ select '{"overridden":true}'::json::"application/json" $$;
create aggregate labels_json(labels) (sfunc = labels_json_step, stype = "application/json");
create function get_actors() returns setof actors language sql stable as 'select * from actors';

-- Representations of domains.
create domain color as int;
create domain money_text as numeric;
create function color_json(color) returns json language sql immutable as $$ select to_json('#' || lpad(upper(to_hex($1)), 6, '0')) $$;
create function color_of_text(text) returns color language sql immutable as $$ select (('x' || lpad(ltrim($1, '#'), 8, '0'))::bit(32)::int)::color $$;
create function color_of_json(json) returns color language sql immutable as $$ select color_of_text($1 #>> '{}') $$;
create cast (color as json) with function color_json(color) as implicit;
create cast (text as color) with function color_of_text(text) as implicit;
create cast (json as color) with function color_of_json(json) as implicit;
create table rooms (id int primary key, name text, paint_id int);
create table paints (id int primary key, name text, shade color, room_id int);
alter table rooms add constraint rooms_paint foreign key (paint_id) references paints;
create view paint_list as select id, name, shade from paints;
create function mix(shade color) returns text language sql immutable as 'select shade::int::text';

create function archive.which() returns text language sql stable as $$ select 'archive' $$;
create function which() returns text language sql stable as $$ select 'public' $$;
create function archive.items_below(id int) returns setof archive.items language sql stable as 'select * from archive.items i where i.id < items_below.id';
comment on schema archive is $$Old Things

What was kept.$$;

alter role service_role set lock_timeout = '7s';
alter role service_role set default_transaction_isolation = 'repeatable read';
alter role authenticator set pgrst.db_schemas = 'public, archive';
alter role authenticator set pgrst.db_aggregates_enabled = 'true';
alter role authenticator set pgrst.db_plan_enabled = 'true';
alter role authenticator set pgrst.db_tx_end = 'commit-allow-override';
`

/** Each after those that it refers to. */
const TABLES = [
  'directors, films, technical_specs, actors, roles, festivals, nominations, premieres, box_office, addresses, orders',
  'employees, countries, capitals, seats, tickets, players, teams, members, follows, owners, pets, wide, moments, spans',
  'bags, docs, articles, names, "Odd Names", "données", chores, products, boxes, events, only_pk, "CamelCase"',
  'counters, shifts, files, codes, secrets, limited, write_only, stuff, watched, empty_table, types, tallies, labels',
  'paints, rooms, hidden.ledger, hidden.lines, archive.items, archive.parts',
]
  .join(', ')
  .split(', ')

/** Puts all rows and sequences back; deleting these few rows takes a fifth of the time of truncating their tables. */
export const RESET = `
${TABLES.toReversed()
  .map(table => `delete from ${table};`)
  .join(' ')}
select setval('boxes_id_seq', 1, false);
${DATA}`

/** Everything: definitions, rows and PostgREST's settings. */
export const FIXTURE = `${SCHEMA}${DATA}
refresh materialized view film_snapshot;
notify pgrst, 'reload config';
notify pgrst, 'reload schema';
`

/** Returns all rows, for a comparison. */
export const ROWS = TABLES.map(
  table => `select '${table}' as name, json_agg(t order by t::text)::text as rows from ${table} t`,
).join(' union all ')
