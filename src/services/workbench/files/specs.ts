// The calls of the Files pages, for copying as code.
import type { CallSpec } from '../rest/call-spec.ts'

const encoded = (bucket: string, path = ''): string =>
  [bucket, ...path.split('/').filter(Boolean)].map(encodeURIComponent).join('/')

export const downloadSpec = (bucket: string, path: string): CallSpec => ({
  method: 'GET',
  path: `/storage/v1/object/${encoded(bucket, path)}`,
})

export const listSpec = (bucket: string, folder: string): CallSpec => ({
  method: 'POST',
  path: `/storage/v1/object/list/${encoded(bucket)}`,
  body: { prefix: folder, limit: 1000, offset: 0, sortBy: { column: 'name', order: 'asc' } },
})
