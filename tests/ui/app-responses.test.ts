// Responses of a broken or hostile backend: invalid parts are left out, and no page breaks on them.
import { expect, test } from 'vitest'
import { readUser } from '../../src/ui/app/account/user/use-user.ts'
import { readBuckets, readObjects } from '../../src/services/workbench/files/read-files.ts'

test('only displayable fields of a user are used', () => {
  expect(
    readUser({
      id: 'u',
      email: 7,
      created_at: {},
      user_metadata: 'x',
      app_metadata: null,
      identities: [null, 7, 'x', { provider: {} }, { identity_id: 'i', provider: 'github', created_at: 5 }],
      factors: [null, { id: 1 }, { id: 'f', status: 'verified', factor_type: 'totp', friendly_name: [] }],
    }),
  ).toEqual({
    id: 'u',
    created_at: '',
    user_metadata: {},
    app_metadata: {},
    identities: [{ identity_id: 'i', provider: 'github', identity_data: {} }],
    factors: [{ id: 'f', status: 'verified', factor_type: 'totp' }],
  })
  expect(readUser({ id: 'u', identities: {} })?.identities).toEqual([])
  expect([null, 7, [], { id: 7 }].map(readUser)).toEqual([undefined, undefined, undefined, undefined])
})

test('storage lists are arrays, and each entry has a name', () => {
  const odd = [null, 7, [], {}, { id: {}, name: {} }]
  const bucket = { id: 'b', public: 'x', file_size_limit: 'inf', allowed_mime_types: 5 }
  expect(readBuckets([...odd, bucket, { id: 'a', public: true }])).toEqual([
    { id: 'a', isPublic: true },
    { id: 'b', isPublic: false },
  ])
  expect(readObjects([...odd, { name: '__proto__', id: 7, metadata: 'm' }])).toEqual([
    { name: '__proto__', id: null, updated_at: null, metadata: null },
  ])
  for (const answer of [null, 7, 'x', {}]) {
    expect(() => readBuckets(answer)).toThrow('it is not a list.')
    expect(() => readObjects(answer)).toThrow('it is not a list.')
  }
})
