// Related rows within rows.
import { reads, refuses, type Case } from './case.ts'

const M2O = 'resource_embedding: many-to-one relationships'
const O2M = 'resource_embedding: one-to-many relationships'
const M2M = 'resource_embedding: many-to-many relationships'
const O2O = 'resource_embedding: one-to-one relationships'
const COMPUTED = 'resource_embedding: computed relationships'
const OVERRIDING = 'resource_embedding: overriding relationships'
const MULTIPLE = 'resource_embedding: multiple foreign key relationships'
const RECURSIVE = 'resource_embedding: recursive relationships'
const PARTITIONED = 'resource_embedding: partitioned tables'
const VIEWS = 'resource_embedding: views'
const CHAINS = 'resource_embedding: chains of views'
const FUNCTIONS = 'resource_embedding: table-valued functions'
const WRITES = 'resource_embedding: writes'
const NESTED = 'resource_embedding: nested embedding'
const FILTERS = 'resource_embedding: embedded filters'
const TOP_FILTERS = 'resource_embedding: top-level filtering'
const NULLS = 'resource_embedding: null filtering'
const OR = 'resource_embedding: OR filtering across embedded resources'
const EMPTY = 'resource_embedding: empty embed'
const ORDER = 'resource_embedding: top-level ordering'
const SPREAD_ONE = 'resource_embedding: spread to-one relationships'
const SPREAD_MANY = 'resource_embedding: spread to-many relationships'
const MULTIPLE_SPREADS = 'resource_embedding: multiple spreads'
const JUNCTION_SPREAD = 'resource_embedding: spread a join table'

const REP = { prefer: 'return=representation' }

const notRelated = (from: string, to: string, hint?: string | null) => ({
  code: 'PGRST200',
  message: `Could not find a relationship between '${from}' and '${to}' in the schema cache`,
  details: `Searched for a foreign key relationship between '${from}' and '${to}' in the schema 'public', but no matches were found.`,
  ...(hint !== undefined && { hint }),
})
const notEmbedded = (name: string) => ({
  code: 'PGRST108',
  message: `'${name}' is not an embedded resource in this request`,
  details: null,
  hint: `Verify that '${name}' is included in the 'select' query parameter.`,
})
const noRelatedOrder = (from: string, to: string) => ({
  code: 'PGRST118',
  message: `A related order on '${to}' is not possible`,
  details: `'${from}' and '${to}' do not form a many-to-one or one-to-one relationship`,
  hint: null,
})

export const RESOURCE_EMBEDDING: readonly Case[] = [
  ...reads(
    M2O,
    [
      '/films?select=title,directors(id,name)&id=eq.3',
      [{ title: 'Ran', directors: { id: 2, name: 'Akira' } }],
    ],
    [
      '/films?select=title,director:directors(name)&order=id',
      [
        { title: 'Cleo', director: { name: 'Agnes' } },
        { title: 'Vagabond', director: { name: 'Agnes' } },
        { title: 'Ran', director: { name: 'Akira' } },
        { title: 'Ikiru', director: { name: 'Akira' } },
        { title: 'Jeanne', director: { name: 'Chantal' } },
        { title: 'Lost Reel', director: null },
      ],
    ],
    [
      '/films?select=title,directors(*)&id=eq.5',
      [{ title: 'Jeanne', directors: { id: 3, name: 'Chantal', country: 'BE', born: '1950-06-06' } }],
    ],
    ['/films?select=directors(name)&id=eq.1', [{ directors: { name: 'Agnes' } }]],
    [
      '/films?select=id,director_id,director:director_id(name)&id=eq.1',
      [{ id: 1, director_id: 1, director: { name: 'Agnes' } }],
      { name: 'by the column' },
    ],
    [
      '/films?select=id,films_director_id_fkey(name)&id=eq.1',
      [{ id: 1, films_director_id_fkey: { name: 'Agnes' } }],
      { name: 'by the constraint' },
    ],
    [
      '/films?select=id,directors!director_id(name)&id=eq.1',
      [{ id: 1, directors: { name: 'Agnes' } }],
      { name: 'with the column as hint' },
    ],
    [
      '/films?select=id,directors!films_director_id_fkey(name)&id=eq.1',
      [{ id: 1, directors: { name: 'Agnes' } }],
      { name: 'with the constraint as hint' },
    ],
    [
      '/films?select=id,directors(label:name,key:id::text)&id=eq.1',
      [{ id: 1, directors: { label: 'Agnes', key: '1' } }],
    ],
    [
      '/films?select=id,directors(name,label_length)&id=eq.1',
      [{ id: 1, directors: { name: 'Agnes', label_length: 5 } }],
      { name: 'with a computed field' },
    ],
    [
      '/films?select=id,a:directors(name),b:directors(id)&id=eq.1',
      [{ id: 1, a: { name: 'Agnes' }, b: { id: 1 } }],
      { name: 'the same table twice' },
    ],
    [
      '/tickets?select=holder,seats(venue,price)&order=id',
      [
        { holder: 'Ann', seats: { venue: 'hall', price: 10 } },
        { holder: 'Ben', seats: { venue: 'hall', price: 10 } },
        { holder: 'Cat', seats: { venue: 'attic', price: 5 } },
      ],
      { name: 'a composite key' },
    ],
    ['/tickets?select=holder,seat(no)&id=eq.3', [{ holder: 'Cat', seat: { no: 1 } }]],
  ),
  ...refuses(
    M2O,
    ['/films?select=title,nowhere(*)', 400, notRelated('films', 'nowhere')],
    [
      '/films?select=title,directorz(*)',
      400,
      notRelated('films', 'directorz', "Perhaps you meant 'directors' instead of 'directorz'."),
    ],
    ['/films?select=title,addresses(*)', 400, notRelated('films', 'addresses')],
    [
      '/nowhere?select=*,directors(*)',
      404,
      { code: 'PGRST205', message: "Could not find the table 'public.nowhere' in the schema cache" },
    ],
    ['/films?select=title,directors(nope)', 400, { code: '42703' }],
    [
      '/films?select=title,directors!wrong(name)',
      400,
      {
        code: 'PGRST200',
        message: "Could not find a relationship between 'films' and 'directors' in the schema cache",
        details:
          "Searched for a foreign key relationship between 'films' and 'directors' using the hint 'wrong' in the schema 'public', but no matches were found.",
      },
    ],
    ['/films?select=title,directors->x(name)', 400, { code: 'PGRST100' }],
    ['/films?select=title!hint', 400, { code: 'PGRST100' }],
    ['/films?select=title,directors(name', 400, { code: 'PGRST100' }],
  ),

  ...reads(
    O2M,
    [
      '/directors?select=name,films(title)&films.order=id&order=id',
      [
        { name: 'Agnes', films: [{ title: 'Cleo' }, { title: 'Vagabond' }] },
        { name: 'Akira', films: [{ title: 'Ran' }, { title: 'Ikiru' }] },
        { name: 'Chantal', films: [{ title: 'Jeanne' }] },
        { name: 'Nobody', films: [] },
      ],
    ],
    [
      '/directors?select=name,works_of:films(label:title)&id=eq.3',
      [{ name: 'Chantal', works_of: [{ label: 'Jeanne' }] }],
    ],
    [
      '/directors?select=name,films!director_id(title)&id=eq.3',
      [{ name: 'Chantal', films: [{ title: 'Jeanne' }] }],
    ],
    [
      '/directors?select=name,films!films_director_id_fkey(title)&id=eq.3',
      [{ name: 'Chantal', films: [{ title: 'Jeanne' }] }],
    ],
    [
      '/seats?select=venue,no,tickets(holder)&order=venue,no&tickets.order=id',
      [
        { venue: 'attic', no: 1, tickets: [{ holder: 'Cat' }] },
        { venue: 'hall', no: 1, tickets: [{ holder: 'Ann' }, { holder: 'Ben' }] },
        { venue: 'hall', no: 2, tickets: [] },
      ],
    ],
    [
      '/films?select=id,roles(*)&id=eq.3',
      [{ id: 3, roles: [{ film_id: 3, actor_id: 3, character: 'Hidetora' }] }],
    ],
  ),

  ...reads(
    M2M,
    [
      '/actors?select=name,films(title)&order=id&films.order=id',
      [
        { name: 'Corinne', films: [{ title: 'Cleo' }] },
        { name: 'Sandrine', films: [{ title: 'Vagabond' }] },
        { name: 'Tatsuya', films: [{ title: 'Ran' }] },
        { name: 'Takashi', films: [{ title: 'Ikiru' }] },
        { name: 'Delphine', films: [{ title: 'Jeanne' }] },
        { name: 'Extra', films: [{ title: 'Cleo' }, { title: 'Ikiru' }] },
        { name: 'Idle', films: [] },
      ],
    ],
    [
      '/films?select=title,actors(name)&id=in.(1,6)&order=id&actors.order=name',
      [
        { title: 'Cleo', actors: [{ name: 'Corinne' }, { name: 'Extra' }] },
        { title: 'Lost Reel', actors: [] },
      ],
    ],
    ['/films?select=title,cast:actors(name)&id=eq.3', [{ title: 'Ran', cast: [{ name: 'Tatsuya' }] }]],
    [
      '/films?select=title,actors!roles(name)&id=eq.3',
      [{ title: 'Ran', actors: [{ name: 'Tatsuya' }] }],
      { name: 'with the junction as hint' },
    ],
    [
      '/festivals?select=name,films(title)&order=id&films.order=title',
      [
        { name: 'Lumen', films: [{ title: 'Ran' }, { title: 'Vagabond' }] },
        { name: 'Nocturne', films: [{ title: 'Cleo' }] },
        { name: 'Empty', films: [] },
      ],
    ],
    [
      '/players?select=name,teams!members(name)&order=id',
      [
        { name: 'Ana', teams: [{ name: 'Reds' }] },
        { name: 'Bea', teams: [{ name: 'Reds' }] },
        { name: 'Cid', teams: [{ name: 'Blues' }] },
      ],
    ],
  ),

  ...reads(
    O2O,
    [
      '/films?select=title,technical_specs(camera)&id=in.(1,2)&order=id',
      [
        { title: 'Cleo', technical_specs: { camera: 'Cameflex' } },
        { title: 'Vagabond', technical_specs: null },
      ],
      { name: 'a foreign key that is the primary key' },
    ],
    [
      '/technical_specs?select=camera,films(title)&order=film_id',
      [
        { camera: 'Cameflex', films: { title: 'Cleo' } },
        { camera: 'Panavision', films: { title: 'Ran' } },
      ],
    ],
    [
      '/countries?select=name,capitals(name)&order=code',
      [
        { name: 'Switzerland', capitals: { name: 'Bern' } },
        { name: 'Germany', capitals: { name: 'Berlin' } },
        { name: 'Nowhere', capitals: null },
      ],
      { name: 'a unique foreign key' },
    ],
    [
      '/capitals?select=name,countries(name)&order=id',
      [
        { name: 'Berlin', countries: { name: 'Germany' } },
        { name: 'Bern', countries: { name: 'Switzerland' } },
      ],
    ],
    [
      '/capitals?select=name,country_code(name)&id=eq.1',
      [{ name: 'Berlin', country_code: { name: 'Germany' } }],
    ],
    [
      '/capitals?select=name,capitals_country_code_fkey(name)&id=eq.1',
      [{ name: 'Berlin', capitals_country_code_fkey: { name: 'Germany' } }],
    ],
    [
      '/countries?select=name,capitals_country_code_fkey(name)&code=eq.CH',
      [{ name: 'Switzerland', capitals_country_code_fkey: { name: 'Bern' } }],
    ],
    [
      '/countries?select=name,capitals!country_code(name)&code=eq.CH',
      [{ name: 'Switzerland', capitals: { name: 'Bern' } }],
    ],
  ),

  ...reads(
    COMPUTED,
    [
      '/premieres?select=location,film(title)&order=id',
      [
        { location: 'Cannes', film: { title: 'Cleo' } },
        { location: 'Tokyo', film: { title: 'Ran' } },
        { location: 'Nowhere', film: null },
      ],
      { name: 'rows 1 is to-one' },
    ],
    [
      '/premieres?select=location,film_noset(title)&id=eq.2',
      [{ location: 'Tokyo', film_noset: { title: 'Ran' } }],
      { name: 'without setof' },
    ],
    [
      '/films?select=title,premieres(location)&id=in.(1,2)&order=id',
      [
        { title: 'Cleo', premieres: [{ location: 'Cannes' }] },
        { title: 'Vagabond', premieres: [] },
      ],
    ],
    [
      '/premieres?select=location,shown:film(title,directors(name))&id=eq.1',
      [{ location: 'Cannes', shown: { title: 'Cleo', directors: { name: 'Agnes' } } }],
    ],
    [
      '/premieres?select=location,film!inner(title)&film.title=eq.Ran',
      [{ location: 'Tokyo', film: { title: 'Ran' } }],
    ],
    [
      '/films?select=title,premieres!inner(location)&order=id',
      [
        { title: 'Cleo', premieres: [{ location: 'Cannes' }] },
        { title: 'Ran', premieres: [{ location: 'Tokyo' }] },
      ],
    ],
    ['/premieres?select=location,film()&film=is.null', [{ location: 'Nowhere' }]],
    [
      '/premieres?select=id,film(title)&order=film(title).desc.nullslast',
      [
        { id: 2, film: { title: 'Ran' } },
        { id: 1, film: { title: 'Cleo' } },
        { id: 3, film: null },
      ],
    ],
    ['/premieres?select=location,...film(title)&id=eq.1', [{ location: 'Cannes', title: 'Cleo' }]],
    [
      '/directors?select=name,works(title)&id=eq.3',
      [{ name: 'Chantal', works: [{ title: 'Jeanne' }] }],
      { name: 'overloaded functions' },
    ],
    ['/actors?select=name,works(title)&id=eq.3', [{ name: 'Tatsuya', works: [{ title: 'Ran' }] }]],
  ),
  ...reads(
    OVERRIDING,
    [
      '/pets?select=name,owners(name)&order=id',
      [
        { name: 'Rex', owners: null },
        { name: 'Tom', owners: { name: 'Yan' } },
      ],
    ],
    ['/owners?select=name,pets(name)&id=eq.1', [{ name: 'Zoe', pets: [{ name: 'Rex' }] }]],
  ),

  ...refuses(
    MULTIPLE,
    [
      '/orders?select=label,addresses(*)',
      300,
      {
        code: 'PGRST201',
        message: "Could not embed because more than one relationship was found for 'orders' and 'addresses'",
        hint: "Try changing 'addresses' to one of the following: 'addresses!billing', 'addresses!shipping'. Find the desired relationship in the 'details' key.",
        details: [
          {
            cardinality: 'many-to-one',
            embedding: 'orders with addresses',
            relationship: 'billing using orders(billing_id) and addresses(id)',
          },
          {
            cardinality: 'many-to-one',
            embedding: 'orders with addresses',
            relationship: 'shipping using orders(shipping_id) and addresses(id)',
          },
        ],
      },
    ],
    [
      '/addresses?select=street,orders(*)',
      300,
      {
        code: 'PGRST201',
        message: "Could not embed because more than one relationship was found for 'addresses' and 'orders'",
        details: [
          {
            cardinality: 'one-to-many',
            embedding: 'addresses with orders',
            relationship: 'billing using addresses(id) and orders(billing_id)',
          },
          {
            cardinality: 'one-to-many',
            embedding: 'addresses with orders',
            relationship: 'shipping using addresses(id) and orders(shipping_id)',
          },
        ],
      },
    ],
    [
      '/teams?select=name,players(*)',
      300,
      {
        code: 'PGRST201',
        message: "Could not embed because more than one relationship was found for 'teams' and 'players'",
        details: [
          {
            cardinality: 'many-to-one',
            embedding: 'teams with players',
            relationship: 'captain using teams(captain_id) and players(id)',
          },
          {
            cardinality: 'many-to-many',
            embedding: 'teams with players',
            relationship: 'members using members_team_id_fkey(team_id) and members_player_id_fkey(player_id)',
          },
        ],
      },
    ],
    ['/orders?select=label,address:addresses(*)', 300, { code: 'PGRST201' }],
    ['/orders?select=label,addresses!wrong(*)', 400, { code: 'PGRST200' }],
  ),
  ...reads(
    MULTIPLE,
    [
      '/orders?select=label,billing:addresses!billing(street),shipping:addresses!shipping(street)&id=eq.1',
      [{ label: 'Rope', billing: { street: 'Quay 1' }, shipping: { street: 'Pier 2' } }],
    ],
    [
      '/orders?select=label,billing(street),shipping(street)&id=eq.3',
      [{ label: 'Oar', billing: { street: 'Pier 2' }, shipping: { street: 'Quay 1' } }],
    ],
    [
      '/orders?select=label,billing_id(street),shipping_id(street)&id=eq.4',
      [{ label: 'Buoy', billing_id: null, shipping_id: { street: 'Lane 3' } }],
    ],
    [
      '/orders?select=label,addresses!billing_id(street)&id=eq.1',
      [{ label: 'Rope', addresses: { street: 'Quay 1' } }],
    ],
    [
      '/orders?select=label,billing_id(city),shipping(city)&id=eq.1',
      [{ label: 'Rope', billing_id: { city: 'Kiel' }, shipping: { city: 'Oslo' } }],
    ],
    [
      '/addresses?select=street,billed:orders!billing(label),shipped:orders!shipping(label)&id=eq.1&billed.order=id&shipped.order=id',
      [
        {
          street: 'Quay 1',
          billed: [{ label: 'Rope' }, { label: 'Sail' }],
          shipped: [{ label: 'Sail' }, { label: 'Oar' }],
        },
      ],
    ],
    [
      '/addresses?select=street,orders!shipping_id(label)&id=eq.3',
      [{ street: 'Lane 3', orders: [{ label: 'Buoy' }] }],
    ],
    ['/addresses?select=street,billing(label)&id=eq.2', [{ street: 'Pier 2', billing: [{ label: 'Oar' }] }]],
    [
      '/teams?select=name,captain(name)&order=id',
      [
        { name: 'Reds', captain: { name: 'Ana' } },
        { name: 'Blues', captain: null },
      ],
    ],
    ['/teams?select=name,captain_id(name)&id=eq.1', [{ name: 'Reds', captain_id: { name: 'Ana' } }]],
    ['/teams?select=name,players!captain(name)&id=eq.1', [{ name: 'Reds', players: { name: 'Ana' } }]],
    [
      '/teams?select=name,players!members(name)&order=id&players.order=name',
      [
        { name: 'Reds', players: [{ name: 'Ana' }, { name: 'Bea' }] },
        { name: 'Blues', players: [{ name: 'Cid' }] },
      ],
    ],
    [
      '/teams?select=name,players!members!inner(name)&players.name=eq.Bea',
      [{ name: 'Reds', players: [{ name: 'Bea' }] }],
      { name: 'a hint and a join' },
    ],
  ),

  ...reads(
    RECURSIVE,
    [
      '/employees?select=name,boss(name)&order=id',
      [
        { name: 'Ada', boss: null },
        { name: 'Bo', boss: { name: 'Ada' } },
        { name: 'Cy', boss: { name: 'Ada' } },
        { name: 'Di', boss: { name: 'Bo' } },
      ],
    ],
    [
      '/employees?select=name,reports(name)&id=eq.1&reports.order=id',
      [{ name: 'Ada', reports: [{ name: 'Bo' }, { name: 'Cy' }] }],
    ],
    [
      '/employees?select=name,boss(name,boss(name))&id=eq.4',
      [{ name: 'Di', boss: { name: 'Bo', boss: { name: 'Ada' } } }],
    ],
    [
      '/employees?select=name,reports(name,reports(name))&id=eq.1&reports.order=id',
      [
        {
          name: 'Ada',
          reports: [
            { name: 'Bo', reports: [{ name: 'Di' }] },
            { name: 'Cy', reports: [] },
          ],
        },
      ],
    ],
    [
      '/employees?select=name,boss(name,reports(name))&id=eq.2&boss.reports.order=id',
      [{ name: 'Bo', boss: { name: 'Ada', reports: [{ name: 'Bo' }, { name: 'Cy' }] } }],
    ],
    [
      '/employees?select=name,up:boss_id(name)&id=eq.2',
      [{ name: 'Bo', up: { name: 'Ada' } }],
      { name: 'by the column: to the parent' },
    ],
    [
      '/employees?select=name,down:employees!boss_id(name)&id=eq.2',
      [{ name: 'Bo', down: [{ name: 'Di' }] }],
      { name: 'with the column as hint: to the children' },
    ],
    [
      '/players?select=name,followers(name)&id=eq.2&followers.order=id',
      [{ name: 'Bea', followers: [{ name: 'Ana' }, { name: 'Cid' }] }],
      { name: 'many-to-many' },
    ],
    [
      '/players?select=name,follows!followed(...players!follower(name))&id=eq.2',
      [{ name: 'Bea', follows: [{ name: 'Ana' }, { name: 'Cid' }] }],
      { name: 'many-to-many by spreading' },
    ],
    [
      '/players?select=name,follows!follower(...players!followed(name))&id=eq.1',
      [{ name: 'Ana', follows: [{ name: 'Bea' }] }],
    ],
  ),

  ...reads(
    PARTITIONED,
    [
      '/box_office?select=day,gross,films(title)&order=day',
      [
        { day: '2021-01-05', gross: 1000.5, films: { title: 'Cleo' } },
        { day: '2021-01-06', gross: 500, films: { title: 'Cleo' } },
        { day: '2021-02-07', gross: 7500.25, films: { title: 'Ran' } },
      ],
    ],
    [
      '/films?select=title,box_office(gross)&id=in.(1,2)&order=id&box_office.order=day',
      [
        { title: 'Cleo', box_office: [{ gross: 1000.5 }, { gross: 500 }] },
        { title: 'Vagabond', box_office: [] },
      ],
    ],
  ),
  ...refuses(
    PARTITIONED,
    ['/films?select=title,box_office_2021_01(gross)', 400, notRelated('films', 'box_office_2021_01')],
    ['/box_office_2021_01?select=day,films(title)', 404, { code: 'PGRST205' }],
  ),

  ...reads(
    VIEWS,
    ['/film_list?select=title,directors(name)&id=eq.1', [{ title: 'Cleo', directors: { name: 'Agnes' } }]],
    [
      '/film_list?select=title,roles(character),actors(name)&id=eq.3',
      [{ title: 'Ran', roles: [{ character: 'Hidetora' }], actors: [{ name: 'Tatsuya' }] }],
    ],
    [
      '/film_list?select=title,technical_specs(camera)&id=eq.3',
      [{ title: 'Ran', technical_specs: { camera: 'Panavision' } }],
    ],
    ['/classics?select=title,directors(name)&id=eq.4', [{ title: 'Ikiru', directors: { name: 'Akira' } }]],
    ['/directors?select=name,classics(title)&id=eq.2', [{ name: 'Akira', classics: [{ title: 'Ikiru' }] }]],
    [
      '/renamed_films?select=label,directors(name)&film_no=eq.5',
      [{ label: 'Jeanne', directors: { name: 'Chantal' } }],
      { name: 'renamed columns' },
    ],
    [
      '/renamed_films?select=label,made_by(name)&film_no=eq.5',
      [{ label: 'Jeanne', made_by: { name: 'Chantal' } }],
    ],
    [
      '/renamed_films?select=label,directors!made_by(name)&film_no=eq.5',
      [{ label: 'Jeanne', directors: { name: 'Chantal' } }],
    ],
    [
      '/renamed_films?select=label,actors(name)&film_no=eq.5',
      [{ label: 'Jeanne', actors: [{ name: 'Delphine' }] }],
    ],
    [
      '/ledger?select=owner,ledger_lines(what)&id=eq.1&ledger_lines.order=id',
      [{ owner: 'ann', ledger_lines: [{ what: 'ink' }, { what: 'paper' }] }],
      { name: 'views of a hidden schema' },
    ],
    ['/ledger_lines?select=what,ledger(owner)&id=eq.3', [{ what: 'pen', ledger: { owner: 'bob' } }]],
    [
      '/film_snapshot?select=title,directors(name)&id=eq.3',
      [{ title: 'Ran', directors: { name: 'Akira' } }],
      { name: 'a materialized view' },
    ],
    ['/film_snapshot?select=title,actors(name)&id=eq.3', [{ title: 'Ran', actors: [{ name: 'Tatsuya' }] }]],
    [
      '/per_director?select=films,directors(name)&director_id=eq.3',
      [{ films: 1, directors: { name: 'Chantal' } }],
      { name: 'a grouping view' },
    ],
    [
      '/actors?select=name,film_list(title)&id=eq.3',
      [{ name: 'Tatsuya', film_list: [{ title: 'Ran' }] }],
      { name: 'many-to-many to a view' },
    ],
  ),
  ...refuses(
    VIEWS,
    ['/film_titles?select=title,directors(name)', 400, notRelated('film_titles', 'directors')],
    ['/ledger?select=owner,lines(what)', 400, notRelated('ledger', 'lines')],
  ),
  ...reads(
    CHAINS,
    ['/listed_again?select=title,directors(name)&id=eq.1', [{ title: 'Cleo', directors: { name: 'Agnes' } }]],
    ['/listed_again?select=title,actors(name)&id=eq.3', [{ title: 'Ran', actors: [{ name: 'Tatsuya' }] }]],
    [
      '/directors?select=name,listed_again(title)&id=eq.3',
      [{ name: 'Chantal', listed_again: [{ title: 'Jeanne' }] }],
    ],
  ),

  ...reads(
    FUNCTIONS,
    [
      '/rpc/get_films?select=title,directors(name)&title=like.R*',
      [{ title: 'Ran', directors: { name: 'Akira' } }],
    ],
    [
      '/rpc/get_films?min_year=1985&select=title,actors(name)&order=id',
      [
        { title: 'Vagabond', actors: [{ name: 'Sandrine' }] },
        { title: 'Ran', actors: [{ name: 'Tatsuya' }] },
      ],
    ],
    [
      '/rpc/get_films?select=title,technical_specs(sound)&id=eq.1',
      [{ title: 'Cleo', technical_specs: { sound: 'mono' } }],
    ],
    ['/rpc/film_by_id?id=3&select=title,directors(name)', { title: 'Ran', directors: { name: 'Akira' } }],
    [
      '/rpc/get_films?select=title,directors!inner(name)&directors.name=eq.Chantal',
      [{ title: 'Jeanne', directors: { name: 'Chantal' } }],
    ],
    [
      '/rpc/get_films?select=title,...directors(director:name)&id=eq.5',
      [{ title: 'Jeanne', director: 'Chantal' }],
    ],
    [
      '/rpc/get_films?select=title,premieres(location)&id=eq.1',
      [{ title: 'Cleo', premieres: [{ location: 'Cannes' }] }],
    ],
  ),
  ...refuses(FUNCTIONS, [
    '/rpc/films_since?since=1980&select=title,directors(name)',
    400,
    { code: 'PGRST200' },
  ]),

  ...(
    [
      [
        'POST',
        '/films?select=title,director:directors(name)',
        { title: 'New', director_id: 2 },
        201,
        [{ title: 'New', director: { name: 'Akira' } }],
      ],
      [
        'POST',
        '/films?select=title,directors(name),actors(name)',
        [
          { title: 'A', director_id: 1 },
          { title: 'B', director_id: null },
        ],
        201,
        [
          { title: 'A', directors: { name: 'Agnes' }, actors: [] },
          { title: 'B', directors: null, actors: [] },
        ],
      ],
      [
        'POST',
        '/roles?select=character,films(title),actors(name)',
        { film_id: 6, actor_id: 7, character: 'C' },
        201,
        [{ character: 'C', films: { title: 'Lost Reel' }, actors: { name: 'Idle' } }],
      ],
      [
        'POST',
        '/premieres?select=location,film(title)',
        { id: 9, location: 'Rome', film_id: 5 },
        201,
        [{ location: 'Rome', film: { title: 'Jeanne' } }],
      ],
      [
        'POST',
        '/employees?select=name,boss(name)',
        { id: 9, name: 'El', boss_id: 3 },
        201,
        [{ name: 'El', boss: { name: 'Cy' } }],
      ],
      [
        'POST',
        '/films?select=title,...directors(director:name)',
        { title: 'New', director_id: 2 },
        201,
        [{ title: 'New', director: 'Akira' }],
      ],
      [
        'PATCH',
        '/films?id=eq.1&select=title,directors(name)',
        { director_id: 3 },
        200,
        [{ title: 'Cleo', directors: { name: 'Chantal' } }],
      ],
      [
        'PATCH',
        '/directors?id=eq.1&select=name,films(title)&films.order=id.desc',
        { name: 'A. V.' },
        200,
        [{ name: 'A. V.', films: [{ title: 'Vagabond' }, { title: 'Cleo' }] }],
      ],
      [
        'PATCH',
        '/directors?id=eq.1&select=name,films(title)&films.year=gt.1970',
        { name: 'A. V.' },
        200,
        [{ name: 'A. V.', films: [{ title: 'Vagabond' }] }],
      ],
      [
        'PATCH',
        '/employees?id=eq.2&select=name,boss(name),reports(name)',
        { name: 'B.' },
        200,
        [{ name: 'B.', boss: { name: 'Ada' }, reports: [{ name: 'Di' }] }],
      ],
      [
        'PUT',
        '/technical_specs?film_id=eq.1&select=camera,films(title)',
        { film_id: 1, camera: 'X', sound: 'Y' },
        200,
        [{ camera: 'X', films: { title: 'Cleo' } }],
      ],
      [
        'DELETE',
        '/roles?film_id=eq.3&select=character,films(title),actors(name)',
        undefined,
        200,
        [{ character: 'Hidetora', films: { title: 'Ran' }, actors: { name: 'Tatsuya' } }],
      ],
      [
        'DELETE',
        '/technical_specs?film_id=eq.1&select=camera,films(title)',
        undefined,
        200,
        [{ camera: 'Cameflex', films: { title: 'Cleo' } }],
      ],
      [
        'DELETE',
        '/premieres?id=eq.1&select=location,film(title)',
        undefined,
        200,
        [{ location: 'Cannes', film: { title: 'Cleo' } }],
      ],
      [
        'DELETE',
        '/box_office?film_id=eq.3&select=gross,films(title)',
        undefined,
        200,
        [{ gross: 7500.25, films: { title: 'Ran' } }],
      ],
    ] as const
  ).map(([method, path, body, status, json]): Case => ({
    section: WRITES,
    request: { method, path, headers: REP, ...(body !== undefined && { body }) },
    expect: { status, json },
  })),

  ...reads(
    NESTED,
    [
      '/actors?select=name,roles(character,films(title))&id=eq.3',
      [{ name: 'Tatsuya', roles: [{ character: 'Hidetora', films: { title: 'Ran' } }] }],
    ],
    [
      '/directors?select=name,films(title,actors(name))&id=eq.3',
      [{ name: 'Chantal', films: [{ title: 'Jeanne', actors: [{ name: 'Delphine' }] }] }],
    ],
    [
      '/roles?select=character,films(title,directors(name))&film_id=eq.2',
      [{ character: 'Mona', films: { title: 'Vagabond', directors: { name: 'Agnes' } } }],
    ],
    [
      '/festivals?select=name,nominations(rank,films(title,directors(name,country)))&id=eq.2',
      [
        {
          name: 'Nocturne',
          nominations: [{ rank: 1, films: { title: 'Cleo', directors: { name: 'Agnes', country: 'BE' } } }],
        },
      ],
    ],
    [
      '/directors?select=name,films(title,directors(name))&id=eq.3',
      [{ name: 'Chantal', films: [{ title: 'Jeanne', directors: { name: 'Chantal' } }] }],
      { name: 'there and back' },
    ],
  ),

  ...reads(
    FILTERS,
    [
      '/directors?select=name,films(title)&films.year=gt.1970&order=id&films.order=id',
      [
        { name: 'Agnes', films: [{ title: 'Vagabond' }] },
        { name: 'Akira', films: [{ title: 'Ran' }] },
        { name: 'Chantal', films: [{ title: 'Jeanne' }] },
        { name: 'Nobody', films: [] },
      ],
    ],
    [
      '/films?select=title,directors(name)&directors.country=eq.JP&id=in.(1,3)&order=id',
      [
        { title: 'Cleo', directors: null },
        { title: 'Ran', directors: { name: 'Akira' } },
      ],
    ],
    [
      '/films?select=title,roles(character)&roles.or=(character.eq.Cleo,character.eq.Mona)&id=lt.4&order=id',
      [
        { title: 'Cleo', roles: [{ character: 'Cleo' }] },
        { title: 'Vagabond', roles: [{ character: 'Mona' }] },
        { title: 'Ran', roles: [] },
      ],
    ],
    [
      '/films?select=title,roles(character)&roles.not.or=(character.eq.Cleo,character.eq.Mona)&id=lt.4&order=id',
      [
        { title: 'Cleo', roles: [] },
        { title: 'Vagabond', roles: [] },
        { title: 'Ran', roles: [{ character: 'Hidetora' }] },
      ],
    ],
    [
      '/films?select=title,roles(character)&roles.and=(character.not.is.null,actor_id.gt.1)&id=in.(1,4)&order=id&roles.order=actor_id',
      [
        { title: 'Cleo', roles: [] },
        { title: 'Ikiru', roles: [{ character: 'Watanabe' }, { character: 'Clerk' }] },
      ],
    ],
    [
      '/films?select=title,roles(character)&roles.character=in.(Cleo,Clerk)&id=in.(1,4)&order=id',
      [
        { title: 'Cleo', roles: [{ character: 'Cleo' }] },
        { title: 'Ikiru', roles: [{ character: 'Clerk' }] },
      ],
    ],
    [
      '/films?select=title,actors(name)&id=eq.1&actors.order=name.desc',
      [{ title: 'Cleo', actors: [{ name: 'Extra' }, { name: 'Corinne' }] }],
    ],
    [
      '/films?select=title,actors(name)&id=eq.1&actors.order=name&actors.limit=1',
      [{ title: 'Cleo', actors: [{ name: 'Corinne' }] }],
    ],
    [
      '/films?select=title,actors(name)&id=eq.1&actors.order=name&actors.limit=1&actors.offset=1',
      [{ title: 'Cleo', actors: [{ name: 'Extra' }] }],
    ],
    [
      '/films?select=title,actors(name)&id=eq.1&actors.order=name&actors.offset=1',
      [{ title: 'Cleo', actors: [{ name: 'Extra' }] }],
    ],
    ['/films?select=title,actors(name)&id=eq.1&actors.limit=0', [{ title: 'Cleo', actors: [] }]],
    [
      '/festivals?select=name,old:films(title),new:films(title)&old.year=lt.1980&new.year=gt.1980&id=in.(1,2)&order=id&new.order=title',
      [
        { name: 'Lumen', old: [], new: [{ title: 'Ran' }, { title: 'Vagabond' }] },
        { name: 'Nocturne', old: [{ title: 'Cleo' }], new: [] },
      ],
      { name: 'aliases of the same table' },
    ],
    [
      '/directors?select=name,films(title,actors(name))&films.actors.name=eq.Extra&id=eq.1&films.order=id',
      [
        {
          name: 'Agnes',
          films: [
            { title: 'Cleo', actors: [{ name: 'Extra' }] },
            { title: 'Vagabond', actors: [] },
          ],
        },
      ],
    ],
    [
      '/directors?select=name,f:films(title,a:actors(name))&f.a.order=name.desc&f.year=lt.1970&id=eq.1',
      [{ name: 'Agnes', f: [{ title: 'Cleo', a: [{ name: 'Extra' }, { name: 'Corinne' }] }] }],
    ],
    [
      '/directors?select=id,films(id)&order=id&limit=1&films.order=id.desc&films.limit=1',
      [{ id: 1, films: [{ id: 2 }] }],
    ],
    [
      '/films?select=title,cast:actors(name)&actors.order=name.desc&id=eq.1',
      [{ title: 'Cleo', cast: [{ name: 'Extra' }, { name: 'Corinne' }] }],
      { name: 'by the name of an aliased table' },
    ],
    [
      '/directors?select=id,films(id)&films.title=ilike.*E*&films.order=id&id=eq.1',
      [{ id: 1, films: [{ id: 1 }] }],
    ],
    ['/directors?select=id,films(id)&films.tags=cs.{road}&id=eq.1', [{ id: 1, films: [{ id: 2 }] }]],
    [
      '/orders?select=id,shipping(city)&shipping.city=eq.Oslo&id=lt.3&order=id',
      [
        { id: 1, shipping: { city: 'Oslo' } },
        { id: 2, shipping: null },
      ],
    ],
    [
      '/films?select=id,directors(name)&directors.offset=1&id=eq.1',
      [{ id: 1, directors: null }],
      { name: 'an offset of a to-one resource' },
    ],
  ),
  ...refuses(
    FILTERS,
    ['/films?select=title&roles.character=eq.Cleo', 400, notEmbedded('roles')],
    ['/films?select=title,cast:actors(*)&casts.name=eq.x', 400, notEmbedded('casts')],
    ['/directors?select=name,films(title,actors(name))&films.actorz.name=eq.x', 400, notEmbedded('actorz')],
    ['/films?select=title,actors(name)&actors.nope=eq.1', 400, { code: '42703' }],
  ),

  ...reads(
    TOP_FILTERS,
    [
      '/films?select=title,actors!inner(name)&actors.name=eq.Extra&order=id',
      [
        { title: 'Cleo', actors: [{ name: 'Extra' }] },
        { title: 'Ikiru', actors: [{ name: 'Extra' }] },
      ],
    ],
    [
      '/films?select=title,actors!left(name)&actors.name=eq.Corinne&id=lt.3&order=id',
      [
        { title: 'Cleo', actors: [{ name: 'Corinne' }] },
        { title: 'Vagabond', actors: [] },
      ],
    ],
    [
      '/films?select=id,directors!inner(id)&order=id',
      [1, 2, 3, 4, 5].map(id => ({ id, directors: { id: [1, 1, 2, 2, 3][id - 1] } })),
    ],
    [
      '/films?select=id,directors!inner(name)&directors.country=eq.JP&order=id',
      [
        { id: 3, directors: { name: 'Akira' } },
        { id: 4, directors: { name: 'Akira' } },
      ],
    ],
    [
      '/directors?select=name,films!inner(id)&films.id=in.(1,5)&order=id',
      [
        { name: 'Agnes', films: [{ id: 1 }] },
        { name: 'Chantal', films: [{ id: 5 }] },
      ],
    ],
    [
      '/films?select=id,technical_specs!inner(sound)&order=id',
      [
        { id: 1, technical_specs: { sound: 'mono' } },
        { id: 3, technical_specs: { sound: 'stereo' } },
      ],
    ],
    [
      '/roles?select=character,films!inner(title,directors!inner(name))&films.directors.name=eq.Chantal',
      [{ character: 'Jeanne', films: { title: 'Jeanne', directors: { name: 'Chantal' } } }],
      { name: 'two levels below' },
    ],
    [
      '/roles?select=actor_id,films(title,directors!inner(name))&films.directors.name=eq.Chantal&actor_id=in.(4,5)&film_id=in.(4,5)&order=actor_id',
      [
        { actor_id: 4, films: null },
        { actor_id: 5, films: { title: 'Jeanne', directors: { name: 'Chantal' } } },
      ],
      { name: 'an inner join within a left one' },
    ],
    [
      '/directors?select=id,films!inner(id,actors(id))&films.actors.id=eq.6&id=lt.3&order=id&films.order=id',
      [
        {
          id: 1,
          films: [
            { id: 1, actors: [{ id: 6 }] },
            { id: 2, actors: [] },
          ],
        },
        {
          id: 2,
          films: [
            { id: 3, actors: [] },
            { id: 4, actors: [{ id: 6 }] },
          ],
        },
      ],
    ],
    [
      '/directors?select=id,films!inner(id,actors!inner(id))&films.actors.id=eq.6&order=id',
      [
        { id: 1, films: [{ id: 1, actors: [{ id: 6 }] }] },
        { id: 2, films: [{ id: 4, actors: [{ id: 6 }] }] },
      ],
    ],
    [
      '/films?select=id,directors!inner(name),actors!inner(name)&actors.name=eq.Extra&directors.name=eq.Agnes',
      [{ id: 1, directors: { name: 'Agnes' }, actors: [{ name: 'Extra' }] }],
    ],
    [
      '/orders?select=id,addresses!shipping!inner(city)&addresses.city=eq.Oslo',
      [{ id: 1, addresses: { city: 'Oslo' } }],
    ],
    [
      '/film_list?select=id,directors!inner(name)&directors.name=eq.Chantal',
      [{ id: 5, directors: { name: 'Chantal' } }],
    ],
    ['/directors?select=name,films!inner(title)&films.title=eq.None', []],
    ['/films?select=id,directors(name),actors!inner(name)&actors.name=eq.Idle', []],
  ),
  {
    section: TOP_FILTERS,
    request: {
      method: 'HEAD',
      path: '/films?select=id,actors!inner(id)&actors.name=eq.Extra',
      headers: { prefer: 'count=exact' },
    },
    expect: { status: 200, text: '', headers: { 'content-range': '0-1/2' } },
  },

  ...reads(
    NULLS,
    [
      '/films?select=id,directors(name)&directors=not.is.null&order=id&id=gte.5',
      [{ id: 5, directors: { name: 'Chantal' } }],
    ],
    ['/films?select=id,directors()&directors=is.null', [{ id: 6 }]],
    ['/films?select=id,nominations()&nominations=is.null&order=id', [{ id: 4 }, { id: 5 }, { id: 6 }]],
    [
      '/films?select=id,nominations(rank)&nominations=not.is.null&order=id',
      [
        { id: 1, nominations: [{ rank: 1 }] },
        { id: 2, nominations: [{ rank: 1 }] },
        { id: 3, nominations: [{ rank: 2 }] },
      ],
    ],
    ['/actors?select=name,films()&films=is.null', [{ name: 'Idle' }]],
    ['/films?select=id,technical_specs()&technical_specs=not.is.null&order=id', [{ id: 1 }, { id: 3 }]],
    ['/directors?select=name,made:films()&made=is.null', [{ name: 'Nobody' }], { name: 'of an alias' }],
    ['/films?select=id,actors()&actors.name=eq.Extra&actors=not.is.null&order=id', [{ id: 1 }, { id: 4 }]],
    [
      '/films?select=id,actors()&actors.name=eq.Extra&actors=is.null&order=id',
      [{ id: 2 }, { id: 3 }, { id: 5 }, { id: 6 }],
    ],
    [
      '/directors?select=id,films(id,technical_specs())&films.technical_specs=not.is.null&films=not.is.null&order=id',
      [
        { id: 1, films: [{ id: 1 }] },
        { id: 2, films: [{ id: 3 }] },
      ],
    ],
    ['/orders?select=id,billing(note:street)&billing=is.null', [{ id: 4, billing: null }]],
    [
      '/premieres?select=id,film(rating)&film=not.is.null&order=id',
      [
        { id: 1, film: { rating: 7.9 } },
        { id: 2, film: { rating: 8.2 } },
      ],
    ],
  ),
  ...refuses(
    NULLS,
    ['/films?select=id,directors(name)&directors=eq.1', 400, { code: '42703' }],
    ['/films?select=id,directors(name)&directors=not.eq.1', 400, { code: '42703' }],
  ),
  {
    section: NULLS,
    request: {
      path: '/films?select=id,directors()&directors=not.is.null&order=id',
      headers: { prefer: 'count=exact' },
    },
    expect: {
      status: 200,
      json: [{ id: 1 }, { id: 2 }, { id: 3 }, { id: 4 }, { id: 5 }],
      headers: { 'content-range': '0-4/5' },
    },
  },
  ...reads(
    OR,
    [
      '/films?select=id,actors(),directors()&directors.name=eq.Akira&actors.name=eq.Extra&or=(directors.not.is.null,actors.not.is.null)&order=id',
      [{ id: 1 }, { id: 3 }, { id: 4 }],
    ],
    ['/films?select=id,actors(),directors()&or=(actors.is.null,directors.is.null)', [{ id: 6 }]],
    [
      '/films?select=id,nominations(),technical_specs()&or=(nominations.is.null,technical_specs.not.is.null)&order=id',
      [{ id: 1 }, { id: 3 }, { id: 4 }, { id: 5 }, { id: 6 }],
    ],
    [
      '/films?select=id,act:actors(),dir:directors(),actors(name),directors(name)&dir.name=eq.Chantal&act.name=eq.Tatsuya&or=(dir.not.is.null,act.not.is.null)&order=id',
      [
        { id: 3, actors: [{ name: 'Tatsuya' }], directors: { name: 'Akira' } },
        { id: 5, actors: [{ name: 'Delphine' }], directors: { name: 'Chantal' } },
      ],
    ],
    ['/films?select=id,technical_specs()&and=(technical_specs.not.is.null,year.lt.1970)', [{ id: 1 }]],
    ['/films?select=id,directors()&or=(directors.is.null,year.eq.1952)&order=id', [{ id: 4 }, { id: 6 }]],
  ),
  ...reads(
    EMPTY,
    ['/films?select=id,directors()&id=eq.1', [{ id: 1 }]],
    ['/films?select=id,actors!inner()&actors.name=eq.Extra&order=id', [{ id: 1 }, { id: 4 }]],
    ['/directors?select=name,films!inner()&films.title=eq.Ran', [{ name: 'Akira' }]],
    ['/directors?select=name,films(actors())&id=eq.1', [{ name: 'Agnes' }], { name: 'nested' }],
    [
      '/directors?select=name,films(title,actors(roles()))&id=eq.3',
      [{ name: 'Chantal', films: [{ title: 'Jeanne' }] }],
    ],
    ['/films?select=id,...directors()&id=eq.1', [{ id: 1 }], { name: 'an empty spread' }],
    ['/directors?select=id,...films()&id=eq.1', [{ id: 1 }]],
  ),

  ...reads(
    ORDER,
    [
      '/films?select=id,directors(name)&order=directors(name).desc.nullslast,id',
      [
        { id: 5, directors: { name: 'Chantal' } },
        { id: 3, directors: { name: 'Akira' } },
        { id: 4, directors: { name: 'Akira' } },
        { id: 1, directors: { name: 'Agnes' } },
        { id: 2, directors: { name: 'Agnes' } },
        { id: 6, directors: null },
      ],
    ],
    [
      '/films?select=id,directors()&order=directors(born),id.desc',
      [{ id: 4 }, { id: 3 }, { id: 2 }, { id: 1 }, { id: 5 }, { id: 6 }],
    ],
    [
      '/films?select=id,dir:directors(name)&order=dir(name).nullsfirst,id&limit=2',
      [
        { id: 6, dir: null },
        { id: 1, dir: { name: 'Agnes' } },
      ],
      { name: 'by an alias' },
    ],
    [
      '/films?select=id,technical_specs(camera)&order=technical_specs(camera).desc.nullslast,id&limit=2',
      [
        { id: 3, technical_specs: { camera: 'Panavision' } },
        { id: 1, technical_specs: { camera: 'Cameflex' } },
      ],
      { name: 'one-to-one' },
    ],
    [
      '/directors?select=id,films(id,technical_specs(camera))&id=eq.1&films.order=technical_specs(camera).nullsfirst',
      [
        {
          id: 1,
          films: [
            { id: 2, technical_specs: null },
            { id: 1, technical_specs: { camera: 'Cameflex' } },
          ],
        },
      ],
      { name: 'of an embedded resource' },
    ],
  ),
  ...refuses(
    ORDER,
    ['/directors?select=id,films(id)&order=films(id)', 400, noRelatedOrder('directors', 'films')],
    ['/directors?select=id,made:films(id)&order=made(id)', 400, noRelatedOrder('directors', 'made')],
    ['/films?select=id,actors(id)&order=actors(id)', 400, noRelatedOrder('films', 'actors')],
    ['/directors?select=id,works(id)&order=works(id)', 400, noRelatedOrder('directors', 'works')],
    ['/films?select=id,directors(name)&order=directorsx(name)', 400, notEmbedded('directorsx')],
    ['/films?select=id&order=directors(name)', 400, notEmbedded('directors')],
  ),

  ...reads(
    SPREAD_ONE,
    [
      '/films?select=title,...directors(director:name,born)&id=eq.3',
      [{ title: 'Ran', director: 'Akira', born: '1910-03-23' }],
    ],
    [
      '/films?select=id,...directors(director:name)&id=gte.5&order=id',
      [
        { id: 5, director: 'Chantal' },
        { id: 6, director: null },
      ],
    ],
    [
      '/films?select=id,...technical_specs(camera)&id=lt.3&order=id',
      [
        { id: 1, camera: 'Cameflex' },
        { id: 2, camera: null },
      ],
    ],
    [
      '/roles?select=character,...films(film:title,...directors(director:name))&film_id=eq.5',
      [{ character: 'Jeanne', film: 'Jeanne', director: 'Chantal' }],
      { name: 'within another' },
    ],
    [
      '/roles?select=character,films(title,...directors(director:name))&film_id=eq.5',
      [{ character: 'Jeanne', films: { title: 'Jeanne', director: 'Chantal' } }],
      { name: 'within an embedding' },
    ],
    [
      '/films?select=id,...directors!inner(director:name)&directors.name=eq.Akira&order=id',
      [
        { id: 3, director: 'Akira' },
        { id: 4, director: 'Akira' },
      ],
    ],
    [
      '/films?select=id,...directors(director:name)&order=directors(director).desc.nullslast,id&limit=1',
      [{ id: 5, director: 'Chantal' }],
    ],
    [
      '/capitals?select=capital:name,...countries(country:name)&order=id',
      [
        { capital: 'Berlin', country: 'Germany' },
        { capital: 'Bern', country: 'Switzerland' },
      ],
    ],
    [
      '/orders?select=id,...billing(bill:street),...shipping(ship:street)&id=eq.1',
      [{ id: 1, bill: 'Quay 1', ship: 'Pier 2' }],
    ],
    [
      '/films?select=id,...directors(director:name,films(id))&id=eq.5',
      [{ id: 5, director: 'Chantal', films: [{ id: 5 }] }],
      { name: 'with an embedding' },
    ],
  ),
  ...reads(
    SPREAD_MANY,
    [
      '/directors?select=name,...films(titles:title,years:year)&films.order=year&order=id',
      [
        { name: 'Agnes', titles: ['Cleo', 'Vagabond'], years: [1962, 1985] },
        { name: 'Akira', titles: ['Ikiru', 'Ran'], years: [1952, 1985] },
        { name: 'Chantal', titles: ['Jeanne'], years: [1975] },
        { name: 'Nobody', titles: [], years: [] },
      ],
    ],
    [
      '/directors?select=name,...films(title)&films.order=year.desc&id=eq.1',
      [{ name: 'Agnes', title: ['Vagabond', 'Cleo'] }],
    ],
    [
      '/directors?select=name,...films(titles:title)&films.order=rating.desc.nullslast&id=eq.2',
      [{ name: 'Akira', titles: ['Ikiru', 'Ran'] }],
      { name: 'ordered by what is not selected' },
    ],
    [
      '/directors?select=id,...films(rating)&id=eq.3',
      [{ id: 3, rating: [null] }],
      { name: 'null is an element' },
    ],
    ['/directors?select=id,...films(ids:id)&films=is.null', [{ id: 4, ids: [] }]],
    [
      '/directors?select=id,...films!inner(ids:id)&films.order=id&order=id',
      [
        { id: 1, ids: [1, 2] },
        { id: 2, ids: [3, 4] },
        { id: 3, ids: [5] },
      ],
    ],
    [
      '/directors?select=id,...films(ids:id)&films.year=gt.1980&id=lt.4&order=id',
      [
        { id: 1, ids: [2] },
        { id: 2, ids: [3] },
        { id: 3, ids: [] },
      ],
    ],
    [
      '/actors?select=name,...films(titles:title)&id=gte.6&order=id&films.order=title',
      [
        { name: 'Extra', titles: ['Cleo', 'Ikiru'] },
        { name: 'Idle', titles: [] },
      ],
      { name: 'many-to-many' },
    ],
    [
      '/festivals?select=id,...nominations(*)&id=in.(2,3)&order=id',
      [
        { id: 2, festival_id: [2], film_id: [1], rank: [1] },
        { id: 3, festival_id: [], film_id: [], rank: [] },
      ],
      { name: 'all columns' },
    ],
    [
      '/directors?select=id,...films(ids:id,technical_specs(camera))&id=eq.1&films.order=id',
      [{ id: 1, ids: [1, 2], technical_specs: [{ camera: 'Cameflex' }, null] }],
      { name: 'with an embedding to one' },
    ],
    [
      '/directors?select=id,...films(ids:id,actors(name))&id=eq.3',
      [{ id: 3, ids: [5], actors: [[{ name: 'Delphine' }]] }],
      { name: 'with an embedding to many' },
    ],
  ),
  ...reads(
    MULTIPLE_SPREADS,
    [
      '/directors?select=name,...films(titles:title,...technical_specs(cameras:camera))&id=eq.1&films.order=id',
      [{ name: 'Agnes', titles: ['Cleo', 'Vagabond'], cameras: ['Cameflex', null] }],
    ],
    [
      '/directors?select=name,...films(titles:title,...roles(characters:character))&id=eq.2&films.order=id&films.roles.order=actor_id',
      [{ name: 'Akira', titles: ['Ran', 'Ikiru'], characters: [['Hidetora'], ['Watanabe', 'Clerk']] }],
    ],
    [
      '/directors?select=name,...films(titles:title,...actors(cast:name))&id=eq.1&films.order=id&films.actors.order=name',
      [{ name: 'Agnes', titles: ['Cleo', 'Vagabond'], cast: [['Corinne', 'Extra'], ['Sandrine']] }],
    ],
    [
      '/festivals?select=name,...nominations(ranks:rank,...films(titles:title))&id=eq.1&nominations.order=rank',
      [{ name: 'Lumen', ranks: [1, 2], titles: ['Vagabond', 'Ran'] }],
    ],
  ),
  ...reads(
    JUNCTION_SPREAD,
    [
      '/films?select=title,cast:roles(character,...actors(name))&id=eq.1&cast.order=actor_id',
      [
        {
          title: 'Cleo',
          cast: [
            { character: 'Cleo', name: 'Corinne' },
            { character: null, name: 'Extra' },
          ],
        },
      ],
    ],
    [
      '/actors?select=name,parts:roles(...films(title,year))&id=eq.3',
      [{ name: 'Tatsuya', parts: [{ title: 'Ran', year: 1985 }] }],
    ],
  ),
]
