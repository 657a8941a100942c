// Names and values that need quotes or encoding.
import { reads, refuses, type Case } from './case.ts'

const UNICODE = 'url_grammar: unicode support'
const SPACES = 'url_grammar: tables and columns with spaces'
const RESERVED = 'url_grammar: reserved characters'

const ids = (...all: readonly number[]) => all.map(id => ({ id }))

export const URL_GRAMMAR: readonly Case[] = [
  ...reads(
    UNICODE,
    ['/donn%C3%A9es', [{ clé: 1, valeur: 'été' }]],
    ['/donn%C3%A9es?select=cl%C3%A9&valeur=eq.%C3%A9t%C3%A9', [{ clé: 1 }]],
    ['/donn%C3%A9es?cl%C3%A9=eq.1&select=valeur', [{ valeur: 'été' }]],
    ['/donn%C3%A9es?order=cl%C3%A9&select=schl%C3%BCssel:cl%C3%A9', [{ schlüssel: 1 }]],
    ['/names?select=id&name=eq.Stra%C3%9Fe%20%E6%9D%B1%E4%BA%AC', ids(13)],
    ['/names?select=id&name=like.*%E4%BA%AC', ids(13)],
    ['/Odd%20Names?select=gr%C3%B6%C3%9Fe&gr%C3%B6%C3%9Fe=gt.7', [{ größe: 8 }]],
    ['/Odd%20Names?select=Id&order=gr%C3%B6%C3%9Fe.desc', [{ Id: 2 }, { Id: 1 }]],
  ),
  {
    section: UNICODE,
    request: {
      method: 'POST',
      path: '/donn%C3%A9es',
      body: { clé: 2, valeur: 'né' },
      headers: { prefer: 'return=representation' },
    },
    expect: { status: 201, json: [{ clé: 2, valeur: 'né' }] },
  },
  {
    section: UNICODE,
    request: {
      method: 'POST',
      path: '/names',
      body: { id: 70, name: '☃' },
      headers: { prefer: 'return=headers-only' },
    },
    expect: { status: 201, text: '', headers: { location: '/names?id=eq.70' } },
  },
  ...reads(
    SPACES,
    [
      '/Odd%20Names?select=Id,the%20column&order=Id',
      [
        { Id: 1, 'the column': 'x' },
        { Id: 2, 'the column': 'y' },
      ],
    ],
    ['/Odd%20Names?select=Id&the%20column=eq.y', [{ Id: 2 }]],
    ['/Odd%20Names?select=Id&order=the%20column.desc', [{ Id: 2 }, { Id: 1 }]],
    ['/Odd%20Names?select=Id&or=(the%20column.eq.x,Id.eq.9)', [{ Id: 1 }]],
    ['/Odd%20Names?select=label:the%20column&Id=eq.1', [{ label: 'x' }]],
    ['/CamelCase?select=userId&fullName=eq.Two', [{ userId: 2 }]],
    ['/CamelCase?select=fullName&order=userId.desc', [{ fullName: 'Two' }, { fullName: 'One' }]],
  ),
  ...refuses(
    SPACES,
    [
      '/camelcase',
      404,
      { code: 'PGRST205', message: "Could not find the table 'public.camelcase' in the schema cache" },
    ],
    ['/CamelCase?userid=eq.1', 400, { code: '42703', message: 'column CamelCase.userid does not exist' }],
  ),
  ...reads(
    RESERVED,
    ['/Odd%20Names?select=%22dotted.name%22&Id=eq.1', [{ 'dotted.name': 'dot' }]],
    ['/Odd%20Names?select=Id&%22dotted.name%22=eq.dash', [{ Id: 2 }]],
    ['/Odd%20Names?select=Id&order=%22dotted.name%22', [{ Id: 2 }, { Id: 1 }]],
    [
      '/Odd%20Names?select=%22a,b%22,%22(paren)%22,%22a:b%22&Id=eq.2',
      [{ 'a,b': 'point', '(paren)': 'brace', 'a:b': 'semi' }],
    ],
    ['/Odd%20Names?select=Id&%22a,b%22=eq.comma', [{ Id: 1 }]],
    ['/Odd%20Names?select=Id&%22(paren)%22=eq.brace', [{ Id: 2 }]],
    ['/Odd%20Names?select=Id&%22a:b%22=like.c*', [{ Id: 1 }]],
    [
      '/Odd%20Names?select=Id&or=(%22dotted.name%22.eq.dot,%22a,b%22.eq.point)&order=Id',
      [{ Id: 1 }, { Id: 2 }],
    ],
    ['/Odd%20Names?select=do$lar$&do$lar$=eq.5', [{ do$lar$: 5 }], { name: 'dollars need no quotes' }],
    ['/Odd%20Names?select=Id,constructor&constructor=eq.built', [{ Id: 1, constructor: 'built' }]],
    [
      '/Odd%20Names?Id=eq.1',
      [
        {
          Id: 1,
          'the column': 'x',
          'dotted.name': 'dot',
          'quo"ted': 'q',
          größe: 7,
          constructor: 'built',
          'a,b': 'comma',
          '(paren)': 'paren',
          'a:b': 'colon',
          do$lar$: 5,
        },
      ],
    ],
    ['/counters?select=with-dash&with-dash=eq.1', [{ 'with-dash': 1 }], { name: 'dashes need no quotes' }],
    ['/names?select=id&name=eq.Hebdon, John', ids(1)],
    ['/names?select=id&name=in.("Hebdon, John",plain)&order=id', ids(1, 2)],
    ['/names?select=id&name=in.(plain,"(parens)")&order=id', ids(2, 5)],
    ['/names?select=id&name=not.in.("Hebdon, John",plain,Plainer)&id=lt.6&order=id', ids(3, 4, 5)],
    ['/names?select=id&name=in.("say \\"hi\\"")', ids(3), { name: 'an escaped quote' }],
    ['/names?select=id&name=in.(say "hi")', ids(3), { name: 'quotes within a value without quotes' }],
    ['/names?select=id&name=in.("back\\\\slash")', ids(4), { name: 'an escaped backslash' }],
    ['/names?select=id&name=in.(back\\slash)', ids(4), { name: 'a backslash without quotes' }],
    [
      '/names?select=id&name=in.("p\\l\\a\\i\\n")',
      ids(2),
      { name: 'other escaped characters are themselves' },
    ],
    ['/names?select=id&name=in.("dot.ted")', ids(11)],
    ['/names?select=id&name=eq.dot.ted', ids(11)],
    ['/names?select=id&name=eq.(parens)', ids(5)],
    ['/names?select=id&name=eq.100%25', ids(8)],
    ['/names?select=id&name=eq.', ids(6), { name: 'an empty text' }],
    ['/names?select=id&name=neq.&id=lt.3&order=id', ids(1, 2)],
    ['/names?select=id&name=eq.null', ids(12), { name: 'the text null' }],
    ['/names?select=id&name=is.null', ids(7)],
    ['/names?select=id&name=in.(null)', ids(12)],
    ['/names?select=id&name=eq.say%20%22hi%22', ids(3)],
  ),
]
