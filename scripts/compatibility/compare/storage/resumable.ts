// Conversations about resumable uploads (TUS 1.0).
import { del, get, head, patch, post, type Conversation, type Request } from '../conversation.ts'
import { bucket, REMOVED } from './uploads.ts'

const service = { as: 'service' }
const tus = (headers: Readonly<Record<string, string>> = {}) => ({
  ...service,
  headers: { 'tus-resumable': '1.0.0', ...headers },
})

/** Each value in base64; those with variables are encoded once these are filled in. */
const metadata = (values: Readonly<Record<string, string>>) =>
  Object.entries(values)
    .map(([key, value]) => `${key} ${value.includes('{{') ? `{{base64:${value}}}` : encode(value)}`)
    .join(',')

const encode = (text: string) => Buffer.from(text).toString('base64')

const create = (
  values: Readonly<Record<string, string>>,
  headers: Readonly<Record<string, string>> = {},
): Request =>
  post('/upload/resumable', undefined, {
    ...tus({ 'upload-metadata': metadata({ bucketName: '{{bucket}}', ...values }), ...headers }),
    save: { upload: 'location' },
  })

const send = (text: string, offset: number, headers: Readonly<Record<string, string>> = {}): Request =>
  patch('{{upload}}', undefined, {
    ...tus({
      'upload-offset': String(offset),
      'content-type': 'application/offset+octet-stream',
      ...headers,
    }),
    text,
  })

export const RESUMABLE: readonly Conversation[] = [
  {
    name: 'resumable uploads',
    steps: [
      bucket(),
      { method: 'OPTIONS', path: '/upload/resumable', ...tus() },
      create(
        { objectName: 'a.txt', contentType: 'text/plain', cacheControl: '60' },
        { 'upload-length': '10' },
      ),
      head('{{upload}}', tus()),
      send('01234', 0),
      head('{{upload}}', tus()),
      send('01234', 0),
      send('56789', 5),
      head('{{upload}}', tus()),
      send('more', 10),
      get('/object/{{bucket}}/a.txt', service),
      get('/object/info/{{bucket}}/a.txt', service),
      create({ objectName: 'a.txt' }, { 'upload-length': '4' }),
      create({ objectName: 'a.txt' }, { 'upload-length': '4', 'x-upsert': 'true' }),
      send('new!', 0, { 'x-upsert': 'true' }),
      get('/object/{{bucket}}/a.txt', service),
      create({ objectName: 'folder/b.txt', metadata: '{"a":1}' }, { 'upload-length': '0' }),
      get('/object/info/{{bucket}}/folder/b.txt', service),
      create({ objectName: 'gone.txt' }, { 'upload-length': '4' }),
      del('{{upload}}', undefined, tus()),
      head('{{upload}}', tus()),
      send('late', 0),
      ...REMOVED,
    ],
  },
  {
    name: 'resumable uploads: refusals',
    steps: [
      bucket({ file_size_limit: 10, allowed_mime_types: ['text/plain'] }),
      create({ objectName: 'a.txt', contentType: 'text/plain' }, { 'upload-length': '11' }),
      create({ objectName: 'a.txt', contentType: 'text/html' }, { 'upload-length': '4' }),
      create({ objectName: 'a.txt' }, { 'upload-length': '4' }),
      create({ objectName: 'é.txt', contentType: 'text/plain' }, { 'upload-length': '4' }),
      create({ objectName: '', contentType: 'text/plain' }, { 'upload-length': '4' }),
      create({ contentType: 'text/plain' }, { 'upload-length': '4' }),
      create(
        { objectName: 'a.txt', contentType: 'text/plain', bucketName: 'missing-bucket' },
        { 'upload-length': '4' },
      ),
      create({ objectName: 'a.txt', contentType: 'text/plain' }),
      create({ objectName: 'a.txt', contentType: 'text/plain' }, { 'upload-length': '-1' }),
      create({ objectName: 'a.txt', contentType: 'text/plain' }, { 'upload-length': 'four' }),
      create({ objectName: 'a.txt', contentType: 'text/plain' }, { 'upload-defer-length': '1' }),
      create(
        { objectName: 'a.txt', contentType: 'text/plain' },
        { 'upload-length': '4', 'tus-resumable': '0.2.2' },
      ),
      post('/upload/resumable', undefined, tus({ 'upload-length': '4' })),
      post(
        '/upload/resumable',
        undefined,
        tus({ 'upload-length': '4', 'upload-metadata': 'not metadata, at all' }),
      ),
      create({ objectName: 'b.txt', contentType: 'text/plain' }, { 'upload-length': '4' }),
      send('larger', 0),
      send('1234', 2),
      send('1234', 0, { 'content-type': 'text/plain' }),
      patch('{{upload}}', undefined, {
        ...tus({ 'content-type': 'application/offset+octet-stream' }),
        text: 'none',
      }),
      head('/upload/resumable/unknown', tus()),
      patch('/upload/resumable/unknown', undefined, {
        ...tus({ 'upload-offset': '0', 'content-type': 'application/offset+octet-stream' }),
        text: 'text',
      }),
      get('/upload/resumable', tus()),
      ...REMOVED,
    ],
  },
]
