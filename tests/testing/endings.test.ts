// What a test starts ends with it, and what a file starts ends with the file, also what a hook started.
import { beforeAll, describe, expect, test } from 'vitest'
import { startClient } from '../harness/client.ts'
import { atFileEnd, atTestEnd, runEndings } from '../harness/endings.ts'

const ended: string[] = []
beforeAll(() => atFileEnd(() => ended.push('of a hook')))

test('the last that was started ends first, and one that fails does not keep the others', async () => {
  atFileEnd(() => {
    ended.push('of a test')
    throw new Error('It was stuck.')
  })
  atFileEnd(() => {
    throw new Error('It was gone.')
  })
  await expect(runEndings('file')).rejects.toMatchObject({
    errors: [new Error('It was gone.'), new Error('It was stuck.')],
  })
  expect(ended).toEqual(['of a test', 'of a hook'])
  await runEndings('file')
  expect(ended).toHaveLength(2)
})

test('a single failure is thrown unchanged', async () => {
  atTestEnd(() => {
    throw new Error('It was stuck.')
  })
  await expect(runEndings('test')).rejects.toThrow('It was stuck.')
})

describe('a client that a test starts', () => {
  const { promise: disposed, resolve } = Promise.withResolvers<unknown>()

  test('runs during the test', () => {
    const { client } = startClient()
    const { dispose } = client
    client.dispose = () => {
      resolve('disposed')
      return dispose()
    }
  })

  test('is disposed of before the next one', async () => {
    expect(await Promise.race([disposed, Promise.resolve('running')])).toBe('disposed')
  })
})
