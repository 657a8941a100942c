// What a test file starts ends with it, also what a hook or a test started.
import { beforeAll, expect, test } from 'vitest'
import { atFileEnd, runEndings } from '../harness/endings.ts'

const ended: string[] = []
beforeAll(() => atFileEnd(() => ended.push('of a hook')))

test('the last that was started ends first, and one that fails does not keep the others', async () => {
  atFileEnd(() => {
    ended.push('of a test')
    throw new Error('It was stuck.')
  })
  await expect(runEndings()).rejects.toMatchObject({ errors: [new Error('It was stuck.')] })
  expect(ended).toEqual(['of a test', 'of a hook'])
  await runEndings()
  expect(ended).toHaveLength(2)
})
