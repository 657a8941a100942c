// What createChartroomClient refuses: unknown names, unsupported options, wrong values and secret keys.
import { afterEach, expect, test, vi } from 'vitest'
import { createChartroomClient } from '../../src/public/index.ts'
import { RULES } from '../../src/services/client/option-rules.ts'
import { jwt, KEY, URL_BASE } from '../harness/fake-backend.ts'

/** Options as JavaScript may write them. */
const refusal = (options: object): unknown => {
  try {
    void createChartroomClient({ url: URL_BASE, key: KEY, ...options }).dispose()
    return undefined
  } catch (error) {
    return error
  }
}

test.each([
  [{ storageKey: 'k' }, 'There is no option `storageKey`. Did you mean `auth.storageKey`?'],
  [{ schema: 'api' }, 'There is no option `schema`. Did you mean `db.schema`?'],
  [{ fetch }, 'There is no option `fetch`. Did you mean `global.fetch`?'],
  [
    { auth: { persistsession: false } },
    'There is no option `auth.persistsession`. Did you mean `auth.persistSession`?',
  ],
  [{ timings: { nonsense: 3 } }, 'There is no option `timings.nonsense`.'],
  [
    { timings: { refreshBefor: 3 } },
    'There is no option `timings.refreshBefor`. Did you mean `timings.refreshBefore`?',
  ],
  [{ timings: { checkEvery: Number.NaN } }, '`timings.checkEvery` must be a number of at least 0'],
  [{ auth: { flowType: 'bogus' } }, '`auth.flowType` must be "implicit" or "pkce"'],
  [{ db: { schema: 3 } }, '`db.schema` must be a string'],
  [{ accessToken: 'token' }, '`accessToken` must be a function'],
  [{ auth: null }, '`auth` must be an object'],
  [{ storage: localStorageLike() }, '`storage.getItem` is not supported. Use `auth.storage`.'],
  [{ auth: { debug: true } }, '`auth.debug` is not supported. Pass `recording`, and open the console.'],
])('%j', (options, message) => {
  expect(refusal(options)).toEqual(new TypeError(message))
})

function localStorageLike() {
  return { getItem: () => null, setItem: () => undefined, removeItem: () => undefined }
}

test('every unsupported option names what to do instead', () => {
  const refused = Object.keys(RULES).filter(path => RULES[path]?.startsWith('!'))
  for (const path of refused) {
    const [group = '', name = ''] = path.split('.')
    expect(refusal({ [group]: { [name]: 'x' } })).toMatchObject({
      name: 'TypeError',
      message: `\`${path}\` is not supported. ${RULES[path]?.slice(1)}`,
    })
  }
})

test('undefined is no option, and false is not what is refused', () => {
  expect(refusal({ auth: { debug: false, userStorage: undefined }, accessToken: undefined })).toBeUndefined()
})

afterEach(() => vi.unstubAllGlobals())

test('a secret key is accepted on servers and refused in browsers', () => {
  const service = jwt('service').replace(/\.[^.]+\./, `.${btoa(JSON.stringify({ role: 'service_role' }))}.`)
  for (const key of ['sb_secret_harbour_0123456789', service]) {
    expect(refusal({ key })).toBeUndefined()
    vi.stubGlobal('document', new EventTarget())
    expect(String(refusal({ key }))).toMatch(/TypeError: A secret key .* Use the publishable key/)
    vi.unstubAllGlobals()
  }
})
