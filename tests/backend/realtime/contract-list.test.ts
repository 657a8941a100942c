// Every public method of the official client's realtime has a contract test: this list fails if one is
// missing.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createClient } from '@supabase/supabase-js'
import { expect, test } from 'vitest'

const client = createClient('http://127.0.0.1:1', 'key')
const contracts = (name: string) => readFileSync(join(import.meta.dirname, name), 'utf8')

/** Method names by reflection; a leading underscore marks internal methods. */
function methodsOf(instance: object): string[] {
  const prototype: object = Object.getPrototypeOf(instance)
  return Object.entries(Object.getOwnPropertyDescriptors(prototype))
    .filter(
      ([name, { value }]) => typeof value === 'function' && name !== 'constructor' && !name.startsWith('_'),
    )
    .map(([name]) => name)
}

test.each([
  ['the socket', client.realtime, 'contract-client.test.ts', 17],
  ['a channel', client.channel('list'), 'contract-channel.test.ts', 11],
])('%s', (_name, instance, file, least) => {
  const methods = methodsOf(instance)
  const text = contracts(file)
  expect(methods.length).toBeGreaterThanOrEqual(least)
  expect(methods.filter(name => !text.includes(`.${name}(`))).toEqual([])
})

test('methods that the main client delegates', () => {
  const names = ['channel', 'getChannels', 'removeChannel', 'removeAllChannels']
  const text = contracts('contract-client.test.ts')
  const handedOn = methodsOf(client).filter(name => /channel/i.test(name))
  expect(handedOn.toSorted()).toEqual(names.toSorted())
  expect(names.filter(name => !text.includes(`client.${name}(`))).toEqual([])
})
