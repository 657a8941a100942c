// Conversations about who may do what: keys, roles and row-level security.
import { del, get, post, put, type Conversation } from '../conversation.ts'
import { bucket, raw, REMOVED } from './uploads.ts'

const service = { as: 'service' }
const NOBODY = ['anon', 'expired', 'forged', 'unknownRole', 'nothing']
const own = (name: string) => `/object/{{shared}}/{{userId}}/${name}`

export const ACCESS: readonly Conversation[] = [
  {
    name: 'who may: a private bucket',
    steps: [
      bucket(),
      post('/object/{{bucket}}/a.txt', undefined, raw('a')),
      ...['user', ...NOBODY].flatMap(as => [
        get('/bucket', { as }),
        get('/bucket/{{bucket}}', { as }),
        post('/bucket', { name: '{{bucket}}-new' }, { as }),
        put('/bucket/{{bucket}}', { public: true }, { as }),
        post('/bucket/{{bucket}}/empty', undefined, { as }),
        del('/bucket/{{bucket}}', undefined, { as }),
        get('/object/{{bucket}}/a.txt', { as }),
        get('/object/authenticated/{{bucket}}/a.txt', { as }),
        get('/object/public/{{bucket}}/a.txt', { as }),
        get('/object/info/{{bucket}}/a.txt', { as }),
        post('/object/{{bucket}}/b.txt', undefined, { ...raw('b'), as }),
        put('/object/{{bucket}}/a.txt', undefined, { ...raw('b'), as }),
        post('/object/{{bucket}}/a.txt', undefined, { ...raw('b', { 'x-upsert': 'true' }), as }),
        del('/object/{{bucket}}/a.txt', undefined, { as }),
        del('/object/{{bucket}}', { prefixes: ['a.txt'] }, { as }),
        post('/object/list/{{bucket}}', { prefix: '' }, { as }),
        post('/object/list-v2/{{bucket}}', {}, { as }),
        post('/object/move', { bucketId: '{{bucket}}', sourceKey: 'a.txt', destinationKey: 'b.txt' }, { as }),
        post('/object/copy', { bucketId: '{{bucket}}', sourceKey: 'a.txt', destinationKey: 'b.txt' }, { as }),
        post('/object/sign/{{bucket}}/a.txt', { expiresIn: 60 }, { as }),
        post('/object/sign/{{bucket}}', { expiresIn: 60, paths: ['a.txt'] }, { as }),
        post('/object/upload/sign/{{bucket}}/b.txt', undefined, { as }),
        post('/upload/resumable', undefined, {
          as,
          headers: {
            'tus-resumable': '1.0.0',
            'upload-length': '4',
            'upload-metadata': 'bucketName {{base64:{{bucket}}}},objectName Yi50eHQ=',
          },
        }),
      ]),
      get('/object/{{bucket}}/a.txt', service),
      ...REMOVED,
    ],
  },
  {
    name: 'who may: a shared bucket',
    steps: [
      post('/bucket', { name: '{{shared}}' }, service),
      get('/bucket', { as: 'user' }),
      get('/bucket/{{shared}}', { as: 'user' }),
      post(own('a.txt'), undefined, { ...raw('mine'), as: 'user' }),
      post('/object/{{shared}}/a.txt', undefined, { ...raw('not mine'), as: 'user' }),
      post(own('b.txt'), undefined, { ...raw('not mine'), as: 'other' }),
      get(own('a.txt'), { as: 'other' }),
      get('/object/info/{{shared}}/{{userId}}/a.txt', { as: 'user' }),
      put(own('a.txt'), undefined, { ...raw('changed'), as: 'other' }),
      put(own('a.txt'), undefined, { ...raw('changed'), as: 'user' }),
      get(own('a.txt'), { as: 'user' }),
      del(own('a.txt'), undefined, { as: 'other' }),
      del('/object/{{shared}}', { prefixes: ['{{userId}}/a.txt'] }, { as: 'other' }),
      post(
        '/object/sign/{{shared}}/{{userId}}/a.txt',
        { expiresIn: 60 },
        { as: 'other', save: { signed: 'signedURL' } },
      ),
      get('{{signed}}'),
      post('/object/upload/sign/{{shared}}/{{userId}}/c.txt', undefined, { as: 'other' }),
      post('/object/upload/sign/{{shared}}/{{userId}}/c.txt', undefined, {
        as: 'user',
        save: { upload: 'url' },
      }),
      put('{{upload}}', undefined, { ...raw('signed'), as: 'anon' }),
      get('/object/info/{{shared}}/{{userId}}/c.txt', { as: 'user' }),
      ...['other', 'user'].flatMap(as => [
        post(
          '/object/copy',
          { bucketId: '{{shared}}', sourceKey: '{{userId}}/a.txt', destinationKey: '{{userId}}/d.txt' },
          { as },
        ),
        post(
          '/object/move',
          { bucketId: '{{shared}}', sourceKey: '{{userId}}/a.txt', destinationKey: '{{userId}}/e.txt' },
          { as },
        ),
      ]),
      post(
        '/object/move',
        { bucketId: '{{shared}}', sourceKey: '{{userId}}/e.txt', destinationKey: 'e.txt' },
        { as: 'user' },
      ),
      post('/object/list/{{shared}}', { prefix: '{{userId}}' }, { as: 'other' }),
      del('/object/{{shared}}', { prefixes: ['{{userId}}/d.txt', '{{userId}}/e.txt'] }, { as: 'user' }),
      del('/bucket/{{shared}}', undefined, { as: 'user' }),
      post('/bucket/{{shared}}/empty', undefined, service),
      del('/bucket/{{shared}}', undefined, service),
    ],
  },
]
