// Bodies: the text that is passed on, and its keys.
import { describe, expect, it } from 'vitest'
import type { ApiRequest, Payload } from '../../../../backend/rest/request/index.ts'
import { post, read, refusalOf } from './read.ts'

const CSV = 'text/csv'
const FORM = 'application/x-www-form-urlencoded'

const parts = ({
  payload,
  columns,
}: ApiRequest): { payload: Payload | undefined; columns: readonly string[] } => ({
  payload,
  columns,
})

const jsonOf = (text: string, isObject = text.trimStart().startsWith('{')): Payload => ({
  kind: 'json',
  text,
  isObject,
})

it.each<[body: string, columns: string[], text?: string]>([
  ['{}', []],
  ['{"b":1,"a":2}', ['a', 'b']],
  [' {"a" : 12345678901234567890.10} ', ['a']],
  ['{"a":1,"a":2}', ['a']],
  ['{"__proto__":1,"constructor":2}', ['__proto__', 'constructor']],
  ['[{"a":1},{"a":2}]', ['a']],
  ['[{"a":1,"b":2},{"b":1,"a":2}]', ['a', 'b']],
  ['[{},{}]', []],
  ['[]', [], '[]'],
  [' [ ] ', [], '[]'],
  ['1', [], '[]'],
  ['"text"', [], '[]'],
  ['null', [], '[]'],
  ['{"é":"\u2028"}', ['é']],
])('passes on %s', async (body, columns, text = body) => {
  for (const method of ['POST', 'PATCH', 'PUT'])
    expect(parts(await read('/items', { ...post(body), method }))).toEqual({ payload: jsonOf(text), columns })
  expect(parts(await read('/rpc/f', post(body)))).toEqual({ payload: jsonOf(text), columns })
})

const INVALID = 'Empty or invalid json'
const KEYS = 'All object keys must match'

it.each<[body: BodyInit, message: string, type?: string]>([
  ['', INVALID],
  ['}{ x = 2', INVALID],
  ['{', INVALID],
  ['{"a":1}x', INVALID],
  ['\uFEFF{}', INVALID],
  [Uint8Array.of(0x22, 0xff, 0x22), INVALID],
  ['"\0"', INVALID],
  ['[{"id":100},123,"xxxx",{"id":111}]', KEYS],
  ['[{"id":1,"body":"x"},{"id":2,"body":"x","owner":"me"}]', KEYS],
  ['[{"id":1,"body":"x"},{"id":2}]', KEYS],
  ['[{"a":1},{"b":1}]', KEYS],
  ['[{"a":1},null]', KEYS],
  ['[{"a":1},[1]]', KEYS],
  ['[1]', KEYS],
  ['[[]]', KEYS],
  ['a,b\nfoo,bar\nbaz', 'All lines must have same number of fields', CSV],
  ['a,b\nfoo\nfoo,bar', 'All lines must have same number of fields', CSV],
  ['', 'parse error (not enough input) at ""', CSV],
  ['a,b', 'parse error (not enough input) at ""', CSV],
  ['a\nx"y\nz', String.raw`parse error (endOfInput) at "\"y\nz"`, CSV],
  ['x', 'Content-Type not acceptable: text/plain', 'text/plain'],
  ['x', 'Content-Type not acceptable: text/xml', 'text/xml'],
  ['x', 'Content-Type not acceptable: application/octet-stream', 'application/octet-stream'],
  ['x', 'Content-Type not acceptable: multipart/x', 'multipart/x'],
  [
    '{}',
    'Content-Type not acceptable: application/vnd.pgrst.object+json',
    'application/vnd.pgrst.object+json',
  ],
])('refuses %s: %s', async (body, message, type) => {
  expect(await refusalOf('/items', post(body, type))).toEqual({ status: 400, code: 'PGRST102', message })
})

describe('the parameter columns', () => {
  it.each<[body: string, isObject: boolean]>([
    ['{"a":1,"c":2}', true],
    ['[{"a":1},{"b":2}]', false],
    ['not json', false],
  ])('replaces the keys of %s', async (body, isObject) => {
    const expected = { payload: jsonOf(body, isObject), columns: ['a', 'b'] }
    expect(parts(await read('/items?columns=b,a,b', post(body)))).toEqual(expected)
    expect(parts(await read('/rpc/f?columns=b,a', post(body)))).toEqual(expected)
    expect(parts(await read('/items?columns=b,a', { ...post(body), method: 'PATCH' }))).toEqual(expected)
  })

  it('is not for PUT', async () => {
    const request = await read('/items?columns=b', { ...post('{"a":1}'), method: 'PUT' })
    expect(request.columns).toEqual(['a'])
  })

  it('is only for JSON', async () => {
    expect((await read('/items?columns=b', post('a\n1', CSV))).columns).toEqual(['a'])
    expect((await read('/items?columns=b', post('a=1', FORM))).columns).toEqual(['a'])
  })
})

it.each<[csv: string, text: string, columns: string[]]>([
  ['a,b\nbar,baz', '[{"a":"bar","b":"baz"}]', ['a', 'b']],
  ['a,b\nNULL,foo', '[{"a":null,"b":"foo"}]', ['a', 'b']],
  ['a\n"NULL"\nnull\n', '[{"a":null},{"a":"null"}]', ['a']],
  [
    'id,name,client_id\n8,Xenix,1\n9,Windows NT,1',
    '[{"id":"8","name":"Xenix","client_id":"1"},{"id":"9","name":"Windows NT","client_id":"1"}]',
    ['client_id', 'id', 'name'],
  ],
  ['a,b\r\n1,2\r\n', '[{"a":"1","b":"2"}]', ['a', 'b']],
  ['a,b\r1,2', '[{"a":"1","b":"2"}]', ['a', 'b']],
  ['a,b\n"x, y","say ""hi"""', String.raw`[{"a":"x, y","b":"say \"hi\""}]`, ['a', 'b']],
  ['a,b\n"two\r\nlines",2', String.raw`[{"a":"two\r\nlines","b":"2"}]`, ['a', 'b']],
  ['"a b","c""d"\n1,2', String.raw`[{"a b":"1","c\"d":"2"}]`, ['a b', 'c"d']],
  ['a,b\n,', '[{"a":"","b":""}]', ['a', 'b']],
  ['a\n', '[]', []],
  ['a\n\n1\n\n', '[{"a":"1"}]', ['a']],
  ['a\n1,2', '[{"a":"1"}]', ['a']],
  ['a,b\n1\n2', '[{"a":"1"},{"a":"2"}]', ['a']],
  ['a,a\n1,2', '[{"a":"2"}]', ['a']],
  ['__proto__\n1', '[{"__proto__":"1"}]', ['__proto__']],
  ['\uFEFFa\n1', '[{"\uFEFFa":"1"}]', ['\uFEFFa']],
  ['a\n00123456789012345678901', '[{"a":"00123456789012345678901"}]', ['a']],
])('makes JSON of the CSV %j', async (csv, text, columns) => {
  expect(parts(await read('/items', post(csv, CSV)))).toEqual({ payload: jsonOf(text, false), columns })
})

it('makes a row of a form', async () => {
  const { payload, columns } = await read('/items', post('b=1+2&a=%C3%A9&a=x%26&c', FORM))
  expect(payload).toEqual(jsonOf('{"b":"1 2","a":"x&","c":""}'))
  expect(columns).toEqual(['a', 'b', 'c'])
})

describe('a call', () => {
  it('has the fields of a form in their order', async () => {
    const { payload, columns } = await read('/rpc/f', post('v=1&a=2&v=3', FORM))
    expect(payload).toEqual({
      kind: 'form',
      fields: [
        ['v', '1'],
        ['a', '2'],
        ['v', '3'],
      ],
    })
    expect(columns).toEqual(['a', 'v'])
  })

  it.each(['text/plain', 'text/xml', 'application/octet-stream'])('has the bytes of %s', async type => {
    const bytes = Uint8Array.of(0, 255, 10)
    expect(parts(await read('/rpc/f', post(bytes, type)))).toEqual({
      payload: { kind: 'raw', bytes },
      columns: [],
    })
  })

  it('may have no body', async () => {
    expect(parts(await read('/rpc/f', { method: 'POST' }))).toEqual({ payload: undefined, columns: [] })
  })

  it('refuses other types', async () => {
    expect(await refusalOf('/rpc/f', post('x', 'image/png'))).toMatchObject({
      code: 'PGRST102',
      message: 'Content-Type not acceptable: image/png',
    })
  })
})

it.each(['GET', 'HEAD', 'DELETE', 'OPTIONS'])('is not read for %s', async method => {
  const sent = method === 'DELETE' ? { method, body: '{' } : { method }
  expect(parts(await read('/items', sent))).toEqual({ payload: undefined, columns: [] })
})

it('is read after the query', async () => {
  expect(await refusalOf('/items?select=a::', post('{'))).toMatchObject({ code: 'PGRST100' })
})
