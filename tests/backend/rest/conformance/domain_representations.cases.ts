// Domains whose values look different outside.
import { reads, refuses, type Case } from './case.ts'

const RESPONSE = 'domain_representations: response format'
const FILTER = 'domain_representations: filter format'
const BODY = 'domain_representations: request body format'

const write = (
  method: string,
  path: string,
  body: unknown,
  status: number,
  json: unknown,
  after?: Case['after'],
): Case => ({
  section: BODY,
  request: {
    method,
    path,
    headers: { prefer: 'return=representation' },
    ...(body !== undefined && { body }),
  },
  expect: { status, json },
  ...(after && { after }),
})

export const DOMAIN_REPRESENTATIONS: readonly Case[] = [
  ...reads(
    RESPONSE,
    [
      '/paints?order=id',
      [
        { id: 1, name: 'blue', shade: '#0000FF', room_id: 1 },
        { id: 2, name: 'green', shade: '#00FF00', room_id: 2 },
        { id: 3, name: 'none', shade: null, room_id: null },
      ],
    ],
    ['/paints?select=*&id=eq.1', [{ id: 1, name: 'blue', shade: '#0000FF', room_id: 1 }]],
    ['/paints?select=id,shade&id=eq.2', [{ id: 2, shade: '#00FF00' }]],
    ['/paints?select=tint:shade&id=eq.1', [{ tint: '#0000FF' }]],
    [
      '/paints?select=tint:shade::text&id=eq.1',
      [{ tint: '"#0000FF"' }],
      { name: 'a cast applies to the representation' },
    ],
    ['/paint_list?id=eq.1', [{ id: 1, name: 'blue', shade: '#0000FF' }], { name: 'in a view' }],
    [
      '/rooms?select=name,paints(shade)&order=id',
      [
        { name: 'hall', paints: { shade: '#0000FF' } },
        { name: 'attic', paints: { shade: '#00FF00' } },
      ],
    ],
    [
      '/rooms?select=name,paints(*)&id=eq.1',
      [{ name: 'hall', paints: { id: 1, name: 'blue', shade: '#0000FF', room_id: 1 } }],
    ],
    ['/rooms?select=name,...paints(shade)&id=eq.2', [{ name: 'attic', shade: '#00FF00' }]],
    [
      '/paints?select=id&order=shade.desc.nullslast,id',
      [{ id: 2 }, { id: 1 }, { id: 3 }],
      { name: 'ordered by the stored values' },
    ],
  ),
  ...reads(
    FILTER,
    ['/paints?select=id&shade=eq.00FF00', [{ id: 2 }]],
    ['/paints?select=id&shade=eq.%230000FF', [{ id: 1 }]],
    ['/paints?select=id&shade=neq.0000FF', [{ id: 2 }]],
    ['/paints?select=id&shade=gt.0000FF', [{ id: 2 }]],
    ['/paints?select=id&shade=in.(0000FF,00FF00)&order=id', [{ id: 1 }, { id: 2 }]],
    ['/paints?select=id&shade=not.in.(0000FF)', [{ id: 2 }]],
    ['/paints?select=id&shade=is.null', [{ id: 3 }]],
    ['/rooms?select=name,paints!inner(id)&paints.shade=eq.00FF00', [{ name: 'attic', paints: { id: 2 } }]],
    ['/paint_list?select=id&shade=eq.00FF00', [{ id: 2 }]],
  ),
  ...refuses(
    FILTER,
    ['/paints?shade=ilike.*FF', 404, { code: '42883', message: /^operator does not exist/ }],
    ['/paints?select=banana', 400, { code: '42703', message: 'column paints.banana does not exist' }],
  ),
  write(
    'POST',
    '/paints?select=id,shade',
    { id: 9, name: 'red', shade: '#FF0000' },
    201,
    [{ id: 9, shade: '#FF0000' }],
    {
      sql: 'select shade::int as n from paints where id = 9',
      rows: [{ n: 0xff0000 }],
    },
  ),
  write(
    'POST',
    '/paints?select=id,shade',
    [
      { id: 8, shade: '00000A' },
      { id: 9, shade: null },
    ],
    201,
    [
      { id: 8, shade: '#00000A' },
      { id: 9, shade: null },
    ],
  ),
  write(
    'POST',
    '/paints?columns=id,shade&select=id,name,shade',
    { id: 9, shade: '#FF0000', name: 'ignored' },
    201,
    [{ id: 9, name: null, shade: '#FF0000' }],
  ),
  write('POST', '/paint_list?select=shade', { id: 9, name: 'red', shade: '#FF0000' }, 201, [
    { shade: '#FF0000' },
  ]),
  write('PATCH', '/paints?id=eq.1&select=shade', { shade: '#010203' }, 200, [{ shade: '#010203' }], {
    sql: 'select shade::int as n from paints where id = 1',
    rows: [{ n: 0x010203 }],
  }),
  write('PATCH', '/paints?shade=eq.0000FF&select=id,shade', { shade: '#010203' }, 200, [
    { id: 1, shade: '#010203' },
  ]),
  write('PUT', '/paints?id=eq.1', { id: 1, name: 'b', shade: '#010203', room_id: 1 }, 200, [
    { id: 1, name: 'b', shade: '#010203', room_id: 1 },
  ]),
  write('DELETE', '/paints?id=eq.3', undefined, 200, [{ id: 3, name: 'none', shade: null, room_id: null }]),
]
