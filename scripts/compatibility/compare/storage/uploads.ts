// Conversations about uploads: bodies, names, types and sizes.
import { del, get, head, post, put, type Conversation, type Request } from '../conversation.ts'

const service = { as: 'service' }

/** Creates the conversation's bucket. */
export const bucket = (settings: object = {}): Request =>
  post('/bucket', { name: '{{bucket}}', ...settings }, service)

/** Removes it with its files. */
export const REMOVED = [
  post('/bucket/{{bucket}}/empty', undefined, service),
  del('/bucket/{{bucket}}', undefined, service),
]

type Headers = Readonly<Record<string, string>>

/** A body that is not a form. */
export const raw = (text: string, headers: Headers = {}): Omit<Request, 'method' | 'path'> => ({
  ...service,
  text,
  headers: { 'content-type': 'text/plain', ...headers },
})

interface FormFile {
  readonly content: string
  readonly type?: string
  readonly fileName?: string
}

const BOUNDARY = 'compare-boundary'

/** A form with fields before its file. */
function form(fields: Headers, { content, type, fileName = 'a.txt' }: FormFile, headers: Headers = {}) {
  const parts = Object.entries(fields).map(
    ([name, value]) => `content-disposition: form-data; name="${name}"\r\n\r\n${value}`,
  )
  const file = `content-disposition: form-data; name=""; filename="${fileName}"\r\n${
    type === undefined ? '' : `content-type: ${type}\r\n`
  }\r\n${content}`
  const text = [...parts, file].map(part => `--${BOUNDARY}\r\n${part}\r\n`).join('')
  return raw(`${text}--${BOUNDARY}--\r\n`, {
    'content-type': `multipart/form-data; boundary=${BOUNDARY}`,
    ...headers,
  })
}

const at = (name: string) => `/object/{{bucket}}/${name}`

export const UPLOADS: readonly Conversation[] = [
  {
    name: 'uploads',
    steps: [
      bucket(),
      post(at('a.txt'), undefined, raw('first')),
      get(at('a.txt'), service),
      head(at('a.txt'), service),
      get('/object/info/{{bucket}}/a.txt', service),
      post(at('a.txt'), undefined, raw('again')),
      post(at('a.txt'), undefined, raw('upserted', { 'x-upsert': 'true' })),
      get(at('a.txt'), service),
      put(at('a.txt'), undefined, raw('updated', { 'cache-control': 'max-age=60' })),
      get(at('a.txt'), service),
      put(at('new.txt'), undefined, raw('new')),
      get(at('new.txt'), service),
      post(at('empty.txt'), undefined, raw('')),
      get(at('empty.txt'), service),
      post(at('none.txt'), undefined, service),
      post(at('type.bin'), undefined, raw('bytes', { 'content-type': 'application/x-own' })),
      get(at('type.bin'), service),
      post(at('json.json'), { a: 1 }, service),
      get(at('json.json'), service),
      post(at('charset.txt'), undefined, raw('text', { 'content-type': 'text/html; charset=utf-8' })),
      get(at('charset.txt'), service),
      post(at('meta.txt'), undefined, raw('text', { 'x-metadata': 'eyJhIjoxLCJiIjpbInR3byJdfQ==' })),
      get('/object/info/{{bucket}}/meta.txt', service),
      post(at('bad-meta.txt'), undefined, raw('text', { 'x-metadata': 'not base64 {' })),
      post(at('cache.txt'), undefined, raw('text', { 'cache-control': 'no-store' })),
      get(at('cache.txt'), service),
      post('/object/list/{{bucket}}', { prefix: '' }, service),
      ...REMOVED,
    ],
  },
  {
    name: 'uploads as forms',
    steps: [
      bucket(),
      post(at('a.txt'), undefined, form({ cacheControl: '3600' }, { content: 'form', type: 'text/plain' })),
      get(at('a.txt'), service),
      post(at('b.txt'), undefined, form({}, { content: 'form' })),
      get(at('b.txt'), service),
      put(at('b.txt'), undefined, form({ cacheControl: '60' }, { content: 'put', type: 'text/css' })),
      get(at('b.txt'), service),
      post(at('m.txt'), undefined, form({ metadata: '{"a":1}' }, { content: 'form', type: 'text/plain' })),
      get('/object/info/{{bucket}}/m.txt', service),
      post(at('n.txt'), undefined, form({ metadata: '{"a":' }, { content: 'form', type: 'text/plain' })),
      get('/object/info/{{bucket}}/n.txt', service),
      post(at('t.txt'), undefined, form({ contentType: 'image/png' }, { content: 'x', type: 'text/plain' })),
      get(at('t.txt'), service),
      post(at('e.txt'), undefined, form({}, { content: '', type: 'text/plain' })),
      get(at('e.txt'), service),
      post(at('u.txt'), undefined, form({}, { content: 'x', type: 'text/plain' }, { 'x-upsert': 'true' })),
      post(at('u.txt'), undefined, form({}, { content: 'y', type: 'text/plain' })),
      post(
        at('broken.txt'),
        undefined,
        raw('no form', { 'content-type': `multipart/form-data; boundary=${BOUNDARY}` }),
      ),
      post(at('no-boundary.txt'), undefined, raw('no form', { 'content-type': 'multipart/form-data' })),
      post('/object/list/{{bucket}}', { prefix: '' }, service),
      ...REMOVED,
    ],
  },
  {
    name: 'names of files',
    steps: [
      bucket(),
      ...[
        'a%20b.txt',
        '%C3%A9.txt',
        "!-_.*'()&$=@;:+,.txt",
        'question%3F.txt',
        'hash%23.txt',
        'percent%25.txt',
        'tilde~.txt',
        'back%5Cslash.txt',
        'quote%22.txt',
        'a//b.txt',
        'folder/',
        'a/./b.txt',
        '%2E%2E/b.txt',
        'new%0Aline.txt',
        `${'long'.repeat(300)}.txt`,
        'deep/a/b/c/d.txt',
        'a%2Fb%2Fc.txt',
        '.hidden',
      ].flatMap(name => [post(at(name), undefined, raw('name')), get(at(name), service)]),
      post('/object/{{bucket}}/', undefined, raw('name')),
      post('/object/{{bucket}}', undefined, raw('name')),
      post('/object/missing-bucket/a.txt', undefined, raw('name')),
      put('/object/missing-bucket/a.txt', undefined, raw('name')),
      post('/object/list/{{bucket}}', { prefix: '', limit: 100 }, service),
      ...REMOVED,
    ],
  },
  {
    name: 'types and sizes',
    steps: [
      bucket({ file_size_limit: 10, allowed_mime_types: ['text/plain', 'image/*'] }),
      post(at('a.txt'), undefined, raw('0123456789')),
      post(at('b.txt'), undefined, raw('01234567890')),
      post(at('c.txt'), undefined, form({}, { content: '01234567890', type: 'text/plain' })),
      post(at('d.html'), undefined, raw('html', { 'content-type': 'text/html' })),
      post(at('e.png'), undefined, raw('image', { 'content-type': 'image/png' })),
      post(at('f.txt'), undefined, raw('text', { 'content-type': 'text/plain;charset=UTF-8' })),
      post(at('g.html'), undefined, form({}, { content: 'html', type: 'text/html' })),
      post(at('h'), undefined, form({}, { content: 'none' })),
      post(at('i'), undefined, raw('type', { 'content-type': 'invalid' })),
      put(at('a.txt'), undefined, raw('01234567890')),
      put(at('a.txt'), undefined, raw('html', { 'content-type': 'text/html' })),
      get(at('a.txt'), service),
      ...REMOVED,
    ],
  },
]
