// Conversations about signed URLs, for downloads and uploads.
import { get, head, post, put, type Conversation } from '../conversation.ts'
import { bucket, raw, REMOVED } from './uploads.ts'

const service = { as: 'service' }
const upload = (name: string) => post(`/object/{{bucket}}/${name}`, undefined, raw(name))

/** As a page opens it, without a key. */
const page = { headers: {} }

export const SIGNED: readonly Conversation[] = [
  {
    name: 'signed downloads',
    steps: [
      bucket(),
      upload('a.txt'),
      upload('folder/b c.txt'),
      post('/object/sign/{{bucket}}/a.txt', { expiresIn: 60 }, { ...service, save: { signed: 'signedURL' } }),
      get('{{signed}}', page),
      head('{{signed}}', page),
      get('{{signed}}&download=b.txt', page),
      get('{{signed}}x', page),
      get('/object/sign/{{bucket}}/a.txt', page),
      get('/object/sign/{{bucket}}/a.txt?token=', page),
      get('/object/sign/{{bucket}}/a.txt?token=a.b.c', page),
      post(
        '/object/sign/{{bucket}}/folder/b%20c.txt',
        { expiresIn: 60 },
        { ...service, save: { other: 'signedURL' } },
      ),
      get('{{other}}', page),
      post('/object/sign/{{bucket}}/a.txt', { expiresIn: 60 }, { ...service, save: { token: 'signedURL' } }),
      ...[
        {},
        { expiresIn: 0 },
        { expiresIn: -1 },
        { expiresIn: '60' },
        { expiresIn: 'long' },
        { expiresIn: 1.5 },
      ].map(body => post('/object/sign/{{bucket}}/a.txt', body, service)),
      post('/object/sign/{{bucket}}/missing.txt', { expiresIn: 60 }, service),
      post('/object/sign/missing-bucket/a.txt', { expiresIn: 60 }, service),
      post(
        '/object/sign/{{bucket}}',
        { expiresIn: 60, paths: ['a.txt', 'missing.txt', 'folder/b c.txt'] },
        service,
      ),
      ...[
        { expiresIn: 60, paths: [] },
        { expiresIn: 60, paths: 'a.txt' },
        { expiresIn: 60 },
        { paths: ['a.txt'] },
        { expiresIn: 0, paths: ['a.txt'] },
      ].map(body => post('/object/sign/{{bucket}}', body, service)),
      post('/object/sign/missing-bucket', { expiresIn: 60, paths: ['a.txt'] }, service),
      ...REMOVED,
    ],
  },
  {
    name: 'signed uploads',
    steps: [
      bucket({ file_size_limit: 20, allowed_mime_types: ['text/plain'] }),
      upload('taken.txt'),
      post('/object/upload/sign/{{bucket}}/a.txt', undefined, {
        ...service,
        save: { signed: 'url', token: 'token' },
      }),
      put('{{signed}}', undefined, { ...raw('signed'), as: 'anon' }),
      put('{{signed}}', undefined, { ...raw('twice'), as: 'anon' }),
      get('/object/{{bucket}}/a.txt', service),
      post('/object/upload/sign/{{bucket}}/taken.txt', undefined, service),
      post('/object/upload/sign/{{bucket}}/taken.txt', undefined, {
        ...service,
        headers: { 'x-upsert': 'true' },
        save: { upsert: 'url' },
      }),
      put('{{upsert}}', undefined, { ...raw('upserted'), as: 'anon' }),
      get('/object/{{bucket}}/taken.txt', service),
      post('/object/upload/sign/{{bucket}}/new.txt', undefined, { ...service, save: { large: 'url' } }),
      put('{{large}}', undefined, { ...raw('larger than the bucket allows'), as: 'anon' }),
      put('{{large}}', undefined, { ...raw('html', { 'content-type': 'text/html' }), as: 'anon' }),
      put('/object/upload/sign/{{bucket}}/other.txt?token={{token}}', undefined, {
        ...raw('other'),
        as: 'anon',
      }),
      put('/object/upload/sign/{{bucket}}/a.txt', undefined, { ...raw('none'), as: 'anon' }),
      put('/object/upload/sign/{{bucket}}/a.txt?token=a.b.c', undefined, { ...raw('bad'), as: 'anon' }),
      post('/object/upload/sign/missing-bucket/a.txt', undefined, service),
      post('/object/upload/sign/{{bucket}}/%C3%A9.txt', undefined, service),
      ...REMOVED,
    ],
  },
]
