// The guide's assertions in JSON are readable, and those in code are the formulas that it names.
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { root } from '../../../scripts/tool.ts'
import * as made from '../../../src/trace/assert/build.ts'
import { readAssertions } from '../../../src/trace/index.ts'

const guide = await readFile(join(root, 'docs/guide/assertions.md'), 'utf8')

test('its JSON is readable unchanged', () => {
  const [, json = ''] = /```json\n([^`]*)```/.exec(guide) ?? []
  const read = readAssertions(JSON.parse(json))
  expect(read.kind === 'assertions' ? read.assertions.map(({ name }) => name) : read.problems).toEqual([
    'answered',
    'no third attempt',
    'one refresh',
    'jobs end well',
  ])
})

test('it names every function that creates a formula', () => {
  const names = Object.keys(made).filter(name => name !== 'assertion')
  expect(names.filter(name => !guide.includes(`\`${name}\``) && !guide.includes(`\`${name}(`))).toEqual([])
})
