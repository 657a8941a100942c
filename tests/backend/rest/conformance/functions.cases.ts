// Calls of functions.
import { reads, refuses, type Case, type Expected } from './case.ts'

const POST = 'functions: calling with POST'
const GET = 'functions: calling with GET'
const ARRAYS_OF_OBJECTS = 'functions: an array of JSON objects'
const UNNAMED_JSON = 'functions: a single unnamed JSON parameter'
const UNNAMED = 'functions: a single unnamed parameter'
const ARRAYS = 'functions: array parameters'
const VARIADIC = 'functions: variadic functions'
const TABLES = 'functions: table-valued functions'
const SCALARS = 'functions: scalar functions'
const UNTYPED = 'functions: untyped functions'
const OVERLOADED = 'functions: overloaded functions'
const UNKNOWN = 'functions: unknown functions'
const METHODS = 'functions: methods'

const FORM = { 'content-type': 'application/x-www-form-urlencoded' }

function call(
  section: string,
  path: string,
  body: unknown,
  expect: Partial<Expected>,
  rest: Partial<Case> & { headers?: Record<string, string> } = {},
): Case {
  const { headers, ...others } = rest
  return {
    section,
    ...others,
    request: { method: 'POST', path, ...(body !== undefined && { body }), ...(headers && { headers }) },
    expect: { status: 200, ...expect },
  }
}

const film = (id: number, title: string) => ({ id, title })

export const FUNCTIONS: readonly Case[] = [
  call(
    POST,
    '/rpc/add',
    { a: 1, b: 2 },
    { json: 3, text: '3', headers: { 'content-type': 'application/json; charset=utf-8' } },
  ),
  call(POST, '/rpc/add', '{"a": 1, "b": "2"}', { json: 3 }),
  call(POST, '/rpc/greet', {}, { json: 'Hello, world' }, { name: 'a default' }),
  call(POST, '/rpc/greet', undefined, { json: 'Hello, world' }, { name: 'without a body' }),
  call(POST, '/rpc/greet', { name: '￥' }, { json: 'Hello, ￥' }),
  call(POST, '/rpc/greet', { name: null }, { json: null }),
  call(POST, '/rpc/three', { b: 4 }, { json: 143 }),
  call(POST, '/rpc/quotedFn', { userName: 'A', SSN: '1' }, { json: { userName: 'A', SSN: '1' } }),
  call(
    POST,
    '/rpc/add',
    [
      { a: 1, b: 2 },
      { a: 4, b: 6 },
    ],
    { json: 3 },
    { name: 'only the first object counts' },
  ),
  call(
    POST,
    '/rpc/greet?columns=name',
    { name: 'Ann', other: 1 },
    { json: 'Hello, Ann' },
    { name: 'columns' },
  ),
  call(
    POST,
    '/rpc/varied',
    { d: 3.1, v: 'hello', b: true, day: '20190101', m: 'calm', arr: ['a', 'b'], i: 43, j: { k: [1, '2'] } },
    {
      json: {
        d: 3.1,
        v: 'hello',
        b: true,
        day: '2019-01-01',
        m: 'calm',
        arr: ['a', 'b'],
        i: 43,
        j: { k: [1, '2'] },
      },
    },
  ),
  call(POST, '/rpc/json_kind', { arg: { key: 3 } }, { json: 'object' }),
  call(POST, '/rpc/json_kind', { arg: '{"key":3}' }, { json: 'string' }),
  call(POST, '/rpc/json_kind', { arg: [1] }, { json: 'array' }),
  call(
    POST,
    '/rpc/char_arg',
    { c: 'abcdef' },
    { json: 'abcdef' },
    { name: 'lengths of parameters do not count' },
  ),
  call(POST, '/rpc/greet', 'name=Form', { json: 'Hello, Form' }, { headers: FORM }),
  call(
    POST,
    '/rpc/varied',
    'd=3.1&v=hello&b=true&day=20190101&m=calm&arr=%7Ba,b%7D',
    { json: { d: 3.1, v: 'hello', b: true, day: '2019-01-01', m: 'calm', arr: ['a', 'b'], i: 42, j: {} } },
    { headers: FORM },
  ),
  call(POST, '/rpc/over', 'a=1&b=2', { json: 2 }, { headers: FORM }),
  call(POST, '/rpc/greet', '{"name"', {
    status: 400,
    error: { code: 'PGRST102', message: 'Empty or invalid json' },
  }),
  call(
    POST,
    '/rpc/add',
    { a: 'x', b: 1 },
    { status: 400, error: { code: '22P02', message: 'invalid input syntax for type integer: "x"' } },
  ),
  call(
    POST,
    '/rpc/greet?name=John',
    { name: 'John' },
    { status: 400, error: { code: 'PGRST100' } },
    { name: 'arguments of GET are filters' },
  ),
  call(
    POST,
    '/rpc/add_film',
    { title: 'Made' },
    { part: [{ id: 11, title: 'Made' }] },
    {
      after: { sql: 'select title from films where id = 11', rows: [{ title: 'Made' }] },
    },
  ),
  call(POST, '/rpc/add_film?select=title', { title: 'Made' }, { json: [{ title: 'Made' }] }),
  call(
    POST,
    '/rpc/nothing_void',
    {},
    { status: 204, text: '', headers: { 'content-type': null, 'content-length': null } },
  ),
  call(
    POST,
    '/rpc/drop_roles?select=character',
    { below: 2 },
    { json: [{ character: 'Cleo' }, { character: null }] },
    {
      after: { sql: 'select count(*)::int as n from roles', rows: [{ n: 5 }] },
    },
  ),
  call(
    POST,
    '/rpc/next_count',
    {},
    { json: 1 },
    { name: 'called once', after: { sql: 'select last_value::int as n from callcount', rows: [{ n: 1 }] } },
  ),

  ...reads(
    GET,
    ['/rpc/add?a=1&b=2', 3],
    ['/rpc/add?b=2&a=1', 3],
    ['/rpc/greet', 'Hello, world'],
    ['/rpc/greet?name=Ann', 'Hello, Ann'],
    ['/rpc/greet?name=two%20words', 'Hello, two words'],
    ['/rpc/greet?name=ignored&name=last', 'Hello, last', { name: 'the last value of a name' }],
    ['/rpc/three?c=9', 129],
    ['/rpc/three?a=2&c=0', 220],
    ['/rpc/quotedFn?userName=A&SSN=1', { userName: 'A', SSN: '1' }],
    [
      '/rpc/varied?d=3.1&v=hello&b=true&day=20190101&m=calm&arr=%7Ba,b%7D&i=43',
      { d: 3.1, v: 'hello', b: true, day: '2019-01-01', m: 'calm', arr: ['a', 'b'], i: 43, j: {} },
    ],
    ['/rpc/same_big?big=9007199254740992', 9007199254740992],
    ['/rpc/char_arg?c=abcdef', 'abcdef'],
    ['/rpc/get_films?select=id&order=id', [1, 2, 3, 4, 5, 6].map(id => ({ id }))],
  ),
  {
    section: GET,
    request: { method: 'HEAD', path: '/rpc/add?a=1&b=2' },
    expect: { status: 200, text: '', headers: { 'content-type': 'application/json; charset=utf-8' } },
  },
  {
    section: GET,
    request: { method: 'HEAD', path: '/rpc/get_films' },
    expect: { status: 200, text: '', headers: { 'content-range': '0-5/*' } },
  },
  ...refuses(
    GET,
    ['/rpc/add?a=x&b=1', 400, { code: '22P02' }],
    [
      '/rpc/next_count',
      405,
      {
        code: '25006',
        message: 'cannot execute nextval() in a read-only transaction',
        details: null,
        hint: null,
      },
    ],
    [
      '/rpc/add_film?title=x',
      405,
      { code: '25006', message: 'cannot execute INSERT in a read-only transaction' },
    ],
  ),

  call(ARRAYS_OF_OBJECTS, '/rpc/named_json', { data: [{ a: 1 }, { a: 2 }] }, { json: [{ a: 1 }, { a: 2 }] }),
  call(ARRAYS_OF_OBJECTS, '/rpc/same_json', { value: [{ a: 1 }] }, { json: [{ a: 1 }] }),

  call(UNNAMED_JSON, '/rpc/sum_xy', { x: 4, y: 2 }, { json: 6 }),
  call(UNNAMED_JSON, '/rpc/echo_json', { A: 1, B: [2], C: null }, { json: { A: 1, B: [2], C: null } }),
  call(UNNAMED_JSON, '/rpc/echo_json', [{ a: 1 }, { a: 2 }], { json: [{ a: 1 }, { a: 2 }] }),
  call(UNNAMED_JSON, '/rpc/fallback', {}, { json: 'none' }, { name: 'other functions come first' }),
  call(UNNAMED_JSON, '/rpc/fallback', { x: 1, y: 2 }, { json: 'x and y' }),
  call(UNNAMED_JSON, '/rpc/fallback', { A: 1 }, { json: 'json' }, { name: 'then the unnamed parameter' }),
  call(
    UNNAMED_JSON,
    '/rpc/twice',
    { A: 1 },
    {
      status: 300,
      error: {
        code: 'PGRST203',
        message:
          'Could not choose the best candidate function between: public.twice( => json), public.twice( => jsonb)',
        details: null,
        hint: 'Try renaming the parameters or the function itself in the database so function overloading can be resolved',
      },
    },
  ),
  call(
    UNNAMED_JSON,
    '/rpc/unnamed_int',
    { x: 1, y: 2 },
    {
      status: 404,
      error: {
        code: 'PGRST202',
        message: 'Could not find the function public.unnamed_int(x, y) in the schema cache',
        details:
          'Searched for the function public.unnamed_int with parameters x, y or with a single unnamed json/jsonb parameter, but no matches were found in the schema cache.',
      },
    },
  ),
  call(
    UNNAMED_JSON,
    '/rpc/named_json',
    { A: 1, B: 2 },
    {
      status: 404,
      error: {
        code: 'PGRST202',
        message: 'Could not find the function public.named_json(A, B) in the schema cache',
        details:
          'Searched for the function public.named_json with parameters A, B or with a single unnamed json/jsonb parameter, but no matches were found in the schema cache.',
        hint: null,
      },
    },
    { name: 'a named parameter is none' },
  ),

  call(
    UNNAMED,
    '/rpc/echo_text',
    'some text',
    { json: 'some text' },
    { headers: { 'content-type': 'text/plain' } },
  ),
  call(
    UNNAMED,
    '/rpc/count_bytes',
    new Uint8Array([0, 1, 255]),
    { json: 3 },
    { headers: { 'content-type': 'application/octet-stream' } },
  ),
  call(UNNAMED, '/rpc/fallback', 'words', { json: 'text' }, { headers: { 'content-type': 'text/plain' } }),
  call(
    UNNAMED,
    '/rpc/unnamed_int',
    'words',
    {
      status: 404,
      error: {
        code: 'PGRST202',
        message: 'Could not find the function public.unnamed_int in the schema cache',
        details:
          'Searched for the function public.unnamed_int with a single unnamed text parameter, but no matches were found in the schema cache.',
        hint: null,
      },
    },
    { headers: { 'content-type': 'text/plain' } },
  ),
  call(
    UNNAMED,
    '/rpc/unnamed_int',
    '<a/>',
    {
      status: 404,
      error: {
        code: 'PGRST202',
        details:
          'Searched for the function public.unnamed_int with a single unnamed xml parameter, but no matches were found in the schema cache.',
      },
    },
    { headers: { 'content-type': 'text/xml' } },
  ),
  call(
    UNNAMED,
    '/rpc/unnamed_int',
    new Uint8Array([1]),
    {
      status: 404,
      error: {
        code: 'PGRST202',
        details:
          'Searched for the function public.unnamed_int with a single unnamed bytea parameter, but no matches were found in the schema cache.',
      },
    },
    { headers: { 'content-type': 'application/octet-stream' } },
  ),
  call(
    UNNAMED,
    '/rpc/fallback',
    'a,b\n1,2',
    {
      status: 404,
      error: {
        code: 'PGRST202',
        message: 'Could not find the function public.fallback(a, b) in the schema cache',
        details:
          'Searched for the function public.fallback with parameters a, b, but no matches were found in the schema cache.',
      },
    },
    { headers: { 'content-type': 'text/csv' } },
  ),
  {
    section: UNNAMED,
    name: 'GET has no body',
    request: { path: '/rpc/fallback', headers: { 'content-type': 'text/plain' } },
    expect: { status: 200, json: 'none' },
  },

  call(ARRAYS, '/rpc/plus_one', { arr: [1, 2, 3] }, { json: [2, 3, 4] }),
  call(ARRAYS, '/rpc/plus_one', { arr: '{1,2,3}' }, { json: [2, 3, 4] }),
  call(ARRAYS, '/rpc/plus_one', { arr: [] }, { json: null }),
  ...reads(ARRAYS, ['/rpc/plus_one?arr=%7B1,2,3%7D', [2, 3, 4]]),

  call(VARIADIC, '/rpc/total_of', { nums: [1, 2, 3] }, { json: 6 }),
  call(VARIADIC, '/rpc/total_of', {}, { json: 0 }),
  call(VARIADIC, '/rpc/total_of', 'nums=1&nums=2', { json: 3 }, { headers: FORM }),
  call(VARIADIC, '/rpc/total_of', 'nums=5', { json: 5 }, { headers: FORM }),
  ...reads(
    VARIADIC,
    ['/rpc/total_of', 0],
    ['/rpc/total_of?nums=4', 4],
    ['/rpc/total_of?nums=1&nums=2&nums=3', 6],
    ['/rpc/greet_all?name=ignored&name=A&others=B&others=C', 'ABC'],
  ),

  ...reads(
    TABLES,
    ['/rpc/get_films?select=id,title&id=eq.3', [film(3, 'Ran')]],
    ['/rpc/get_films?min_year=1970&select=id&order=id', [{ id: 2 }, { id: 3 }, { id: 5 }]],
    ['/rpc/get_films?min_year=1970&id=gt.2&select=id&order=id.desc', [{ id: 5 }, { id: 3 }]],
    ['/rpc/get_films?select=id&title=like.R*', [{ id: 3 }], { name: 'a filter by what is not selected' }],
    ['/rpc/get_films?select=id&or=(title.like.R*,title.like.C*)&order=id', [{ id: 1 }, { id: 3 }]],
    ['/rpc/get_films?select=id&not.or=(id.lt.5,id.gt.5)', [{ id: 5 }]],
    ['/rpc/get_films?select=id&order=year.desc,id&limit=2&offset=1', [{ id: 3 }, { id: 5 }]],
    ['/rpc/get_films?select=film_label&id=eq.1', [{ film_label: 'Cleo (1962)' }]],
    ['/rpc/get_films?select=label:title,year::text&id=eq.1', [{ label: 'Cleo', year: '1962' }]],
    [
      '/rpc/get_films?select=&id=eq.6',
      [
        {
          id: 6,
          title: 'Lost Reel',
          director_id: null,
          year: 1921,
          rating: null,
          language: null,
          mood: null,
          tags: ['silent'],
          released: null,
        },
      ],
    ],
    [
      '/rpc/films_below?id=4&id=gt.1&select=id&order=id',
      [{ id: 2 }, { id: 3 }],
      { name: 'an argument and a filter of one name' },
    ],
    ['/rpc/films_below?id=4&id=not.gt.1&select=id', [{ id: 1 }]],
    ['/rpc/films_below?id=4&id=not.in.(1,3)&select=id', [{ id: 2 }]],
    ['/rpc/film_by_id?id=1&select=id,title', film(1, 'Cleo')],
    [
      '/rpc/films_since?since=1985',
      [
        { title: 'Vagabond', year: 1985 },
        { title: 'Ran', year: 1985 },
      ],
    ],
    ['/rpc/films_since?since=1900&select=title&year=lt.1930', [{ title: 'Lost Reel' }]],
    [
      '/rpc/films_since?since=1970&order=year,title.desc&select=title',
      [{ title: 'Jeanne' }, { title: 'Vagabond' }, { title: 'Ran' }],
    ],
    ['/rpc/single_column', [{ a: 'A' }]],
    ['/rpc/no_films', []],
    ['/rpc/clash', [{ clash: 'hello', value: 1 }], { name: 'a column with the name of the function' }],
    ['/rpc/get_actors?select=name&id=eq.2', [{ name: 'Sandrine' }]],
  ),
  call(TABLES, '/rpc/get_films?select=id&id=gt.4&order=id', {}, { json: [{ id: 5 }, { id: 6 }] }),
  call(
    TABLES,
    '/rpc/get_films?select=id&order=id&limit=1&offset=1',
    { min_year: 1985 },
    { json: [{ id: 3 }], headers: { 'content-range': '1-1/*' } },
  ),
  call(TABLES, '/rpc/get_films?select=id&nope=eq.1', {}, { status: 400, error: { code: '42703' } }),

  ...reads(
    SCALARS,
    ['/rpc/an_array', [1, 2, 3]],
    ['/rpc/numbers', [1, 2, 3], { name: 'a set of scalars' }],
    ['/rpc/a_range?low=10&up=20', '[10,20)'],
    ['/rpc/a_mood?val=calm', 'calm'],
    ['/rpc/a_year?val=1990', 1990],
    ['/rpc/a_null', null],
    ['/rpc/a_point', { lat: 1.5, long: 2 }],
    ['/rpc/a_json', { b: 1, a: [1, 2] }],
    ['/rpc/out_one?num=5', { plus_one: 6 }, { name: 'an OUT parameter makes an object' }],
    ['/rpc/inout_one?num=2', { num: 3 }],
    ['/rpc/out_many', { a: 1, b: 'two' }],
    ['/rpc/inout_many?num=1&str=x&b=false', { num: 1, str: 'x', b: false }],
    ['/rpc/inout_many?num=1&str=x', { num: 1, str: 'x', b: true }],
    ['/rpc/which', 'public'],
  ),
  ...refuses(
    SCALARS,
    ['/rpc/a_mood?val=bored', 400, { code: '22P02' }],
    [
      '/rpc/a_year?val=1700',
      400,
      { code: '23514', message: 'value for domain year_no violates check constraint "year_no_check"' },
    ],
  ),
  {
    section: SCALARS,
    request: { path: '/rpc/add?a=1&b=2', headers: { prefer: 'count=exact' } },
    expect: { status: 200, json: 3, headers: { 'content-range': '0-0/1' } },
  },
  {
    section: SCALARS,
    request: { path: '/rpc/a_point', headers: { prefer: 'count=exact' } },
    expect: { status: 200, json: { lat: 1.5, long: 2 }, headers: { 'content-range': '0-0/1' } },
  },

  call(UNTYPED, '/rpc/a_record', {}, { json: { id: 1, name: 'one' } }),
  call(
    UNTYPED,
    '/rpc/records',
    {},
    {
      json: [
        { id: 1, name: 'Lumen' },
        { id: 2, name: 'Nocturne' },
        { id: 3, name: 'Empty' },
      ],
    },
  ),
  ...reads(UNTYPED, ['/rpc/a_record', { id: 1, name: 'one' }]),

  ...reads(OVERLOADED, ['/rpc/over', 0], ['/rpc/over?a=1', 1], ['/rpc/over?a=1&b=2', 2]),
  call(OVERLOADED, '/rpc/over', {}, { json: 0 }),
  call(OVERLOADED, '/rpc/over', { a: 1 }, { json: 1 }),
  call(OVERLOADED, '/rpc/over', { b: 2, a: 1 }, { json: 2 }),
  ...refuses(
    OVERLOADED,
    [
      '/rpc/amb?arg=1',
      300,
      {
        code: 'PGRST203',
        message:
          'Could not choose the best candidate function between: public.amb(arg => integer), public.amb(arg => text)',
        details: null,
        hint: 'Try renaming the parameters or the function itself in the database so function overloading can be resolved',
      },
    ],
    [
      '/rpc/over?wrong=1',
      404,
      {
        code: 'PGRST202',
        message: 'Could not find the function public.over(wrong) in the schema cache',
        details:
          'Searched for the function public.over with parameter wrong, but no matches were found in the schema cache.',
      },
    ],
    [
      '/rpc/over?a=1&b=2&c=3',
      404,
      {
        code: 'PGRST202',
        message: 'Could not find the function public.over(a, b, c) in the schema cache',
        details:
          'Searched for the function public.over with parameters a, b, c, but no matches were found in the schema cache.',
        hint: 'Perhaps you meant to call the function public.over(a, b)',
      },
    ],
  ),

  ...refuses(
    UNKNOWN,
    [
      '/rpc/quotedF',
      404,
      {
        code: 'PGRST202',
        message: 'Could not find the function public.quotedF without parameters in the schema cache',
        details:
          'Searched for the function public.quotedF without parameters, but no matches were found in the schema cache.',
        hint: 'Perhaps you meant to call the function public.quotedFn',
      },
    ],
    [
      '/rpc/greet?nam=Peter',
      404,
      {
        code: 'PGRST202',
        message: 'Could not find the function public.greet(nam) in the schema cache',
        details:
          'Searched for the function public.greet with parameter nam, but no matches were found in the schema cache.',
        hint: 'Perhaps you meant to call the function public.greet(name)',
      },
    ],
    [
      '/rpc/add?a=1&b=2&extra=x',
      404,
      {
        code: 'PGRST202',
        message: 'Could not find the function public.add(a, b, extra) in the schema cache',
        details:
          'Searched for the function public.add with parameters a, b, extra, but no matches were found in the schema cache.',
        hint: 'Perhaps you meant to call the function public.add(a, b)',
      },
    ],
    [
      '/rpc/add?a=1',
      404,
      { code: 'PGRST202', message: 'Could not find the function public.add(a) in the schema cache' },
    ],
    [
      '/rpc/add',
      404,
      {
        code: 'PGRST202',
        message: 'Could not find the function public.add without parameters in the schema cache',
      },
    ],
    [
      '/rpc/quotedfn?userName=A&SSN=1',
      404,
      {
        code: 'PGRST202',
        message: 'Could not find the function public.quotedfn(SSN, userName) in the schema cache',
      },
    ],
    ['/rpc/elsewhere', 404, { code: 'PGRST202' }],
  ),
  call(
    UNKNOWN,
    '/rpc/zzzz',
    {},
    {
      status: 404,
      error: {
        code: 'PGRST202',
        message: 'Could not find the function public.zzzz without parameters in the schema cache',
      },
    },
  ),
  call(
    UNKNOWN,
    '/rpc/add',
    { b: 1 },
    {
      status: 404,
      error: {
        code: 'PGRST202',
        message: 'Could not find the function public.add(b) in the schema cache',
        details:
          'Searched for the function public.add with parameter b or with a single unnamed json/jsonb parameter, but no matches were found in the schema cache.',
      },
    },
  ),

  ...['DELETE', 'PATCH', 'PUT'].map((method): Case => ({
    section: METHODS,
    request: { method, path: '/rpc/greet', ...(method !== 'DELETE' && { body: {} }) },
    expect: {
      status: 405,
      error: {
        code: 'PGRST101',
        message: `Cannot use the ${method} method on RPC`,
        details: null,
        hint: null,
      },
    },
  })),
]
